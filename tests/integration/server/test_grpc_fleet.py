"""The fleet as operators see it."""

import pytest
from raw_runner import raw_runner
from server_house import House
from server_refusals import refused

from steersman import short

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_runner_is_shown_as_it_introduced_itself_with_what_it_holds(house: House) -> None:
    async with raw_runner(
        house, labels={"zone": "a"}, tools=["t"], slots=3, generation=7, version="9.9"
    ) as runner:
        session = await house.session(await house.agent(runner.harness), "go")
        held = await runner.taken()
        shown = await house.client.GetRunner(runner_id=runner.runner_id)
        assert (short(shown, "state"), shown.generation, shown.version) == ("connected", 7, "9.9")
        assert (dict(shown.labels), list(shown.tools)) == ({"zone": "a"}, ["t"])
        assert (shown.slots, shown.slots_used, shown.protocol) == (3, 1, 1)
        assert list(shown.harnesses) == [runner.harness]
        assert shown.address
        assert shown.HasField("connected_at")
        [lease] = shown.leases
        assert (lease.session_id, lease.turn_id, lease.epoch) == (
            session.id,
            held.turn_id,
            held.epoch,
        )
        await runner.complete(held)
        shown = await house.client.GetRunner(runner_id=runner.runner_id)
        assert (shown.slots_used, len(shown.leases)) == (0, 0)


async def test_runners_are_listed_by_name_in_pages(house: House) -> None:
    async with raw_runner(house, "pager-b"), raw_runner(house, "pager-a"):
        first = await house.client.ListRunners(limit=1, after="")
        assert first.has_more
        names, after = [], ""
        while True:
            page = await house.client.ListRunners(limit=1, after=after)
            names += [runner.id for runner in page.data]
            after = page.last_id
            if not page.has_more:
                break
    assert names == sorted(names)
    assert {"pager-a", "pager-b"} <= set(names)


async def test_an_unknown_runner_is_not_found(house: House) -> None:
    met = await refused(house.client.GetRunner(runner_id="nobody-here"), "not_found")
    assert met.details == {"resource": "runner", "id": "nobody-here"}
