"""Statements of which nobody needs the answer go to PostgreSQL together with what comes next: they wait for it once.

Only psycopg can do that. With other libraries each statement waits for an answer of its own, and means the same.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine, ExecutionContext

if TYPE_CHECKING:
    import psycopg

_OPTION = "tkid_no_answer"
NO_ANSWER = {_OPTION: True}
"""Options of a statement of which nobody needs the answer, not even how many rows there were.

If it fails, the next statement raises the error, or the commit does.
"""


def send_together(engine: Engine) -> None:
    """Make a database to which psycopg connects take such statements together."""
    library = engine.dialect.loaded_dbapi
    if library.Pipeline.is_supported():
        pipelines = _Pipelines(library.Error)
        sql.event.listen(engine, "do_execute", pipelines.execute)
        sql.event.listen(engine, "do_executemany", pipelines.execute_many)
        sql.event.listen(engine, "commit", pipelines.commit)
        sql.event.listen(engine, "rollback", pipelines.roll_back)


class _Pipelines:
    """The connections on which statements wait for an answer, each with what ends the waiting."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error
        self._open: dict[psycopg.Connection[Any], ExitStack] = {}

    def execute(self, cursor: psycopg.Cursor[Any], statement: str, parameters: Any, context: ExecutionContext) -> bool:
        """Execute a statement in SQLAlchemy's place."""
        return self._execute(cursor, cursor.execute, statement, parameters, context)

    def execute_many(
        self, cursor: psycopg.Cursor[Any], statement: str, parameters: Any, context: ExecutionContext
    ) -> bool:
        """Execute a statement for several rows in SQLAlchemy's place."""
        return self._execute(cursor, cursor.executemany, statement, parameters, context)

    def commit(self, connection: Connection) -> None:
        """Send the end of the transaction together with the statements that wait. psycopg has none to end then."""
        if connection.connection.driver_connection in self._open:
            connection.exec_driver_sql("COMMIT")

    def roll_back(self, connection: Connection) -> None:
        """Wait for no answer any more: nothing is kept."""
        if not connection.invalidated:
            self._give_up(connection.connection.driver_connection)

    def _execute(
        self,
        cursor: psycopg.Cursor[Any],
        execute: Callable[..., Any],
        statement: str,
        parameters: Any,
        context: ExecutionContext,
    ) -> bool:
        """Send a statement, and wait if its answer is needed; whether that is done, as SQLAlchemy asks."""
        needs_answer = _OPTION not in context.execution_options
        if not needs_answer and cursor.connection not in self._open:
            self._open[cursor.connection] = ExitStack()
            self._open[cursor.connection].enter_context(cursor.connection.pipeline())
        try:
            execute(statement, parameters)
        except BaseException:
            self._give_up(cursor.connection)
            raise
        if needs_answer:
            self._wait(cursor.connection)
        return True

    def _wait(self, connection: Any) -> None:
        """Wait for all answers. Raises what psycopg raises where a statement has failed."""
        self._open.pop(connection, ExitStack()).close()

    def _give_up(self, connection: Any) -> None:
        """Take all answers, whatever they are."""
        with suppress(self._error):
            self._wait(connection)
