"""Ports for the servers of tests."""

from __future__ import annotations

import socket
from contextlib import suppress

from tests.ports import HIGHEST, LOWEST, free_port


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
