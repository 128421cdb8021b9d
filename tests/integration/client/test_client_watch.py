"""Watches that are refused, silent, wrong or left. Cuts are tested elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from fake_steersman import FakeServer, Refusal
from watch_script import Response, Script, end, events, read_all, snapshot

import steersman
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.event_pb2 import Event


async def test_events_that_are_sent_again_are_dropped(
    server: FakeServer, client: steersman.Client
) -> None:
    async def frames(request: Any) -> AsyncIterator[Response]:
        yield snapshot(3)
        yield events(1, 2)
        yield events(1, 2, 3)
        await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    seen = []
    async for frame in client.sessions.handle("sess_1").watch():
        if isinstance(frame, Event):
            seen.append(frame.sequence)
        if seen[-1:] == [3]:
            break
    assert seen == [1, 2, 3]


async def test_a_missing_event_is_raised_and_not_skipped(
    server: FakeServer, client: steersman.Client
) -> None:
    async def frames(request: Any) -> AsyncIterator[Response]:
        yield snapshot(3)
        yield events(1, 3)

    server.streams["WatchSession"] = frames
    with pytest.raises(steersman.BrokenWatch):
        await read_all(client)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("not_found", grpc.StatusCode.NOT_FOUND),
        ("invalid_cursor", grpc.StatusCode.INVALID_ARGUMENT),
        ("unauthenticated", grpc.StatusCode.UNAUTHENTICATED),
        ("permission_denied", grpc.StatusCode.PERMISSION_DENIED),
    ],
)
async def test_a_watch_that_can_never_work_is_refused_and_not_repeated(
    server: FakeServer, client: steersman.Client, reason: str, code: grpc.StatusCode
) -> None:
    async def frames(request: Any) -> AsyncIterator[Response]:
        raise Refusal(code, reason)
        yield

    server.streams["WatchSession"] = frames
    with pytest.raises(steersman.SteersmanError) as caught:
        await read_all(client)
    assert caught.value.reason == reason
    assert len(server.requests("WatchSession")) == 1


async def test_a_stream_without_even_progress_is_dead_and_replaced(server: FakeServer) -> None:
    async def frames(request: Any) -> AsyncIterator[Response]:
        yield snapshot(0)
        if len(server.requests("WatchSession")) > 1:
            yield events(1)
        await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    timing = steersman.Timing(silence=0.2)
    async with (
        steersman.Client(server.address, token="t", timing=timing) as client,
        client.sessions.handle("sess_1").watch() as watch,
    ):
        taken = [await anext(watch) for _ in range(3)]
    assert isinstance(taken[-1], Event)


async def test_progress_keeps_a_quiet_stream(server: FakeServer) -> None:
    async def frames(request: Any) -> AsyncIterator[Response]:
        yield snapshot(0)
        for _ in range(6):
            await asyncio.sleep(0.2)
            yield Response(progress=pb.WatchProgress(head_sequence=0))
        yield events(1)
        await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    timing = steersman.Timing(silence=0.8)
    async with (
        steersman.Client(server.address, token="t", timing=timing) as client,
        client.sessions.handle("sess_1").watch() as watch,
    ):
        taken = [await anext(watch) for _ in range(2)]
    assert isinstance(taken[-1], Event)
    assert len(server.requests("WatchSession")) == 1


async def test_leaving_the_loop_cancels_the_call_and_leaves_no_task(
    server: FakeServer, client: steersman.Client
) -> None:
    server.streams["WatchSession"] = Script([], end)
    async for _ in client.sessions.handle("sess_1").watch():
        break
    await asyncio.wait_for(server.left.wait(), 5)


async def test_leaving_the_block_cancels_a_watch_that_is_still_referred_to(
    server: FakeServer, client: steersman.Client
) -> None:
    server.streams["WatchSession"] = Script([], end)
    watch = client.sessions.handle("sess_1").watch()
    async with watch:
        await anext(watch)
    await asyncio.wait_for(server.left.wait(), 5)
    assert [frame async for frame in watch] == []


async def test_closing_the_client_ends_its_watches(
    server: FakeServer, client: steersman.Client
) -> None:
    server.streams["WatchSession"] = Script([100], end)
    watch = client.sessions.handle("sess_1").watch()
    taken = asyncio.Event()
    reader = asyncio.create_task(read_to_end(watch, taken))
    await taken.wait()
    await client.close()
    await asyncio.wait_for(reader, 5)


async def read_to_end(watch: Any, taken: asyncio.Event) -> None:
    async for _ in watch:
        taken.set()
