"""Ports for the servers of tests."""

from __future__ import annotations

import gc
import socket
import time
import warnings
from contextlib import suppress

import pytest
from starlette.applications import Starlette

from tests.ports import HIGHEST, LOWEST, free_port, serving
from tkid.host import page_server


def test_a_port_is_given_once_though_nobody_listens_on_it_yet() -> None:
    """A mail server with one port for plain and for encrypted connections once made a test wait for four minutes."""
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == len(ports)
    assert all(LOWEST <= port < HIGHEST for port in ports)


def test_a_port_that_is_taken_is_passed_over() -> None:
    after = free_port() + 1
    with socket.socket() as taken:
        with suppress(OSError):  # somebody else has it, which serves as well
            taken.bind(("127.0.0.1", after))
        assert free_port() != after


def test_a_connection_that_came_while_the_server_stopped_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser once opened one in this moment, and another test failed much later."""
    monkeypatch.setattr(page_server, "GRACE", 1)
    port = free_port()
    server = page_server.make_server(Starlette(), "127.0.0.1", port)
    server.config.load()
    monkeypatch.setattr(server.config.http_protocol_class, "shutdown", lambda _: None)  # so the server tells none
    with socket.socket() as browser, warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        with serving(server):
            browser.connect(("127.0.0.1", port))
            while not server.server_state.connections:
                time.sleep(0.01)
        del server
        gc.collect()
        assert not [str(each.message) for each in complaints]
