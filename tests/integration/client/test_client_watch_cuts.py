"""Watches over connections that are cut: nothing is lost and nothing doubled."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from fake_steersman import FakeServer
from watch_script import STORY, Response, Script, cut_off, drain, end, events, read_all, snapshot

import steersman
from steersman.v1 import session_service_pb2 as pb
from steersman.v1.event_pb2 import Event
from steersman.v1.session_pb2 import Session


@pytest.mark.parametrize("ending", [cut_off, drain, end])
@pytest.mark.parametrize("cut", range(12))
async def test_a_watch_cut_after_any_frame_loses_and_doubles_nothing(
    server: FakeServer, client: steersman.Client, cut: int, ending: Callable[[], None]
) -> None:
    server.streams["WatchSession"] = Script([cut], ending)
    assert await read_all(client) == ([1, 2, 3, 4], STORY)
    cursors = [request.after_sequence for request in server.requests("WatchSession")]
    assert cursors == ([0, max(0, min(cut - 1, 4))] if cut < 11 else [0])


async def test_a_watch_cut_again_and_again_loses_and_doubles_nothing(
    server: FakeServer, client: steersman.Client
) -> None:
    server.streams["WatchSession"] = Script([2] * 8, cut_off)
    assert await read_all(client) == ([1, 2, 3, 4], STORY)


async def test_a_watch_survives_the_restart_of_its_server(
    server: FakeServer, client: steersman.Client
) -> None:
    async def frames(request: pb.WatchSessionRequest) -> AsyncIterator[Response]:
        yield snapshot(1)
        yield events(request.after_sequence + 1)
        await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    async with client.sessions.handle("sess_1").watch() as watch:
        taken = [await anext(watch) for _ in range(2)]
        await server.stop()
        await server.start()
        taken += [await anext(watch) for _ in range(2)]
    assert [frame.sequence for frame in taken if isinstance(frame, Event)] == [1, 2]


async def test_a_watched_list_starts_again_with_the_page_after_a_cut(
    server: FakeServer, client: steersman.Client
) -> None:
    async def frames(request: Any) -> AsyncIterator[pb.WatchSessionsResponse]:
        page = pb.ListSessionsResponse(data=[Session(id="sess_1")])
        yield pb.WatchSessionsResponse(snapshot=page)
        yield pb.WatchSessionsResponse(removed="sess_1")

    server.streams["WatchSessions"] = frames
    async with client.sessions.watch(status=["idle"]) as watch:
        taken = [await anext(watch) for _ in range(3)]
    kinds = [steersman.SessionPage, steersman.SessionRemoved, steersman.SessionPage]
    assert [type(frame) for frame in taken] == kinds


async def test_a_watch_from_now_resumes_from_the_head_of_its_first_snapshot(
    server: FakeServer, client: steersman.Client
) -> None:
    async def frames(request: pb.WatchSessionRequest) -> AsyncIterator[Response]:
        yield snapshot(7)
        if request.HasField("after_sequence"):
            yield events(8)
            await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    async with client.sessions.handle("sess_1").watch(None) as watch:
        taken = [await anext(watch) for _ in range(3)]
    assert [type(frame) for frame in taken] == [steersman.Snapshot, steersman.Snapshot, Event]
    assert [request.after_sequence for request in server.requests("WatchSession")] == [0, 7]


async def test_a_reader_that_gave_up_waiting_can_go_on_without_loss(
    server: FakeServer, client: steersman.Client
) -> None:
    more = asyncio.Event()

    async def frames(request: pb.WatchSessionRequest) -> AsyncIterator[Response]:
        yield snapshot(1)
        for number in range(request.after_sequence + 1, 2):
            yield events(number)
        await more.wait()
        yield events(2)
        await asyncio.Event().wait()

    server.streams["WatchSession"] = frames
    async with client.sessions.handle("sess_1").watch() as watch:
        first = [await anext(watch) for _ in range(2)]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await anext(watch)
        more.set()
        rest = [await anext(watch) for _ in range(2)]
    sequences = [frame.sequence for frame in first + rest if isinstance(frame, Event)]
    assert sequences == [1, 2]
