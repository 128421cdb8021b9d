"""What a typed function becomes as a tool, and what its calls answer."""

import asyncio
import contextvars
import threading
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from steersman_runner.tools import Tool, Toolbox, tool
from steersman_runner.tools.demo import clock, word_count
from steersman_runner.tools.results import cut


class Place(BaseModel):
    """Where."""

    city: str
    floor: int = 0


@tool
def look(
    place: Place, unit: Literal["c", "f"] = "c", days: list[int] | None = None
) -> dict[str, Any]:
    """Looks at the weather.

    It is quick.

    Args:
        place: Where to look; this
            goes on.
        unit (str): Celsius or not.

    Returns:
        place: not an argument.
    """
    return {"city": place.city, "unit": unit, "days": days}


def test_name_description_and_schema_come_from_the_function() -> None:
    assert (look.name, look.description) == ("look", "Looks at the weather.\n\nIt is quick.")
    assert (look.repeatable, look.timeout) == (True, None)
    schema = look.schema
    assert (schema["type"], schema["required"]) == ("object", ["place"])
    assert schema["additionalProperties"] is False
    assert schema["properties"]["unit"] == {
        "default": "c",
        "description": "Celsius or not.",
        "enum": ["c", "f"],
        "type": "string",
    }
    assert schema["properties"]["place"]["description"] == "Where to look; this goes on."


def test_settings_of_the_decorator_stay_with_the_tool() -> None:
    @tool(name="pay_now", repeatable=False, timeout=1.5)
    async def pay() -> None: ...

    assert (pay.name, pay.repeatable, pay.timeout) == ("pay_now", False, 1.5)


async def test_arguments_arrive_in_the_functions_types() -> None:
    result = await look.call('{"place": {"city": "Ulm"}, "days": ["1", 2]}')
    assert result.output == '{"city":"Ulm","unit":"c","days":[1,2]}'


@pytest.mark.parametrize("name", ["json", "copy", "schema", "model_dump", "self_"])
async def test_arguments_may_have_any_name(name: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def f({name}: str) -> str: return {name}", scope)
    assert (await Tool(scope["f"]).call(f'{{"{name}": "x"}}')).output == "x"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("{oops", "Invalid JSON"),
        ("[]", "should be an object"),
        ("", "place: Field required"),
        ('{"place": {"city": 1}}', "place.city: Input should be a valid string"),
        ('{"place": {"city": "a"}, "nope": 1}', "nope: Extra inputs"),
    ],
)
async def test_arguments_that_do_not_fit_are_an_answer_with_the_path(
    arguments: str, fault: str
) -> None:
    result = await look.call(arguments)
    assert result.output.startswith("error: invalid arguments: ")
    assert fault in result.output


def test_a_function_without_types_or_names_is_no_tool() -> None:
    def untyped(a):  # type: ignore[no-untyped-def]
        return a

    def unnamed(*a: int) -> None: ...

    for function in (untyped, unnamed):
        with pytest.raises(TypeError, match="a tool's parameters have"):
            tool(function)


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("as it is", "as it is"),
        (None, "null"),
        ([1, "ä"], '[1,"ä"]'),
        (Place(city="Ulm"), '{"city":"Ulm","floor":0}'),
        (object(), "error: the tool returned a object, which is not JSON"),
        ("half a pair: \ud83d", "half a pair: ?"),
    ],
)
async def test_values_become_text(value: object, output: str) -> None:
    async def give() -> object:
        return value

    assert (await tool(give).call("{}")).output == output


async def test_what_a_tool_raises_is_its_output() -> None:
    @tool
    def fail() -> None:
        raise KeyError("gone")

    assert (await fail.call("{}")).output == "error: KeyError: 'gone'"


def test_a_cut_falls_between_characters() -> None:
    assert cut("aä🎈", 7) == ("aä🎈", False, True)
    assert cut("aä🎈", 6) == ("aä", True, True)
    assert cut("aä🎈", 2) == ("a", True, True)


async def test_plain_functions_run_in_a_thread_with_the_callers_context() -> None:
    user = contextvars.ContextVar("user", default="nobody")
    user.set("ann")

    @tool
    def where() -> str:
        return f"{user.get()} {threading.current_thread() is threading.main_thread()}"

    assert (await where.call("{}")).output == "ann False"


async def test_an_async_tool_that_takes_too_long_is_stopped_and_says_so() -> None:
    ended = asyncio.Event()

    @tool(timeout=0.01)
    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    assert (await slow.call("{}")).output == "error: timed out after 0.01 s; it was stopped"
    assert ended.is_set()


async def test_a_plain_tool_that_takes_too_long_is_left_and_says_so() -> None:
    release = threading.Event()

    @tool(timeout=0.01)
    def slow() -> None:
        release.wait(5)

    output = (await slow.call("{}")).output
    release.set()
    assert output == "error: timed out after 0.01 s; it cannot be stopped and may still run"


async def test_a_timeout_of_the_tools_own_is_not_taken_for_ours() -> None:
    @tool(timeout=60)
    async def ask() -> None:
        raise TimeoutError("the database")

    assert (await ask.call("{}")).output == "error: TimeoutError: the database"


async def test_a_cancelled_async_tool_ends_before_the_cancellation_goes_on() -> None:
    entered, ended = asyncio.Event(), asyncio.Event()

    @tool
    async def slow() -> None:
        entered.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.set()

    call = asyncio.create_task(slow.call("{}"))
    await entered.wait()
    call.cancel()
    await asyncio.wait({call})
    assert call.cancelled()
    assert ended.is_set()


async def test_a_toolbox_knows_its_tools_by_name() -> None:
    box = Toolbox([word_count, clock])
    assert box.missing(["clock", "ghost"]) == ["ghost"]
    assert [each.name for each in box.select(["clock", "clock"])] == ["clock"]
    assert (await box.call("word_count", '{"text": "a b c"}')).output == "3"
    assert "no tool named 'ghost'" in (await box.call("ghost", "{}")).output
    assert "no tool named" in (await box.select(["clock"]).call("word_count", "{}")).output
    with pytest.raises(ValueError, match="two tools are named 'clock'"):
        Toolbox([clock, clock])


async def test_a_toolbox_holds_every_output_to_its_limit() -> None:
    @tool
    async def much() -> str:
        return "x" * 100

    result = await Toolbox([much], max_output_bytes=10).call("much", "{}")
    assert (result.output, result.truncated) == ("x" * 10, True)
