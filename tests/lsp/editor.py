"""An editor for tests: a client of the protocol that opens files, types and asks, with the server as a program of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tkid.record.format.model import split_lines

PATIENCE = 60
"""So many seconds a test waits at most for an answer; none takes nearly as long."""


class Editor:
    """One open file in an editor."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client, self.uri = client, uri
        self.text, self.version = "", 0
        self.messages: list[str] = []
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(self._note_problems())
        client.feature(types.WINDOW_SHOW_MESSAGE)(self._note_message())

    def _note_problems(self) -> Any:
        def note(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        return note

    def _note_message(self) -> Any:
        def note(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        return note

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    async def open(self, text: str) -> list[types.Diagnostic]:
        """Open the file with a text, and see what is wrong with it."""
        self.text, self.version = text, self.version + 1
        item = types.TextDocumentItem(self.uri, "tkid", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.problems()

    def type(self, text: str) -> None:
        """Change the whole text, as an editor does after each key."""
        self.text, self.version = text, self.version + 1
        changed = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [whole]))

    def close(self) -> None:
        """Close the file."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document))

    async def problems(self) -> list[types.Diagnostic]:
        """The problems of the text as it is now."""
        while True:
            published = await asyncio.wait_for(self.published.get(), PATIENCE)
            if published.uri == self.uri and published.version == self.version:
                return list(published.diagnostics)

    async def offered(self) -> list[types.CompletionItem]:
        """What may be typed at the end of the text."""
        lines = split_lines(self.text)
        end = types.Position(len(lines) - 1, len(lines[-1]))
        answer = await self.client.text_document_completion_async(types.CompletionParams(self.document, end))
        assert isinstance(answer, types.CompletionList)
        return list(answer.items)

    async def hover(self, line: int, column: int) -> str:
        """What is shown for a place, "" for nothing."""
        place = types.Position(line, column)
        answer = await self.client.text_document_hover_async(types.HoverParams(self.document, place))
        assert answer is None or isinstance(answer.contents, types.MarkupContent)
        return answer.contents.value if answer else ""  # type: ignore[union-attr] # it was asserted

    async def actions(
        self, at: types.Range, about: list[types.Diagnostic], *only: types.CodeActionKind
    ) -> list[types.CodeAction | types.Command]:
        """What is offered for a place, or what of some kinds is."""
        asked = types.CodeActionParams(self.document, at, types.CodeActionContext(about, only or None))
        return list(await self.client.text_document_code_action_async(asked) or [])

    async def position(self, line: int) -> Any:
        """The position after the turn on a line."""
        asked = types.ExecuteCommandParams("tkid.position", [self.uri, line])
        return await self.client.workspace_execute_command_async(asked)

    async def format(self) -> list[types.TextEdit] | None:
        """What tidying the file would change."""
        asked = types.DocumentFormattingParams(self.document, types.FormattingOptions(4, insert_spaces=True))
        found = await self.client.text_document_formatting_async(asked)
        return None if found is None else list(found)

    def with_edits(self, edits: list[types.TextEdit]) -> str:
        """The text after some changes; all of the tests' characters are one unit wide."""
        lines = [f"{line}\n" for line in split_lines(self.text)]
        starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]
        text = self.text
        for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
            begin = starts[edit.range.start.line] + edit.range.start.character
            end = starts[edit.range.end.line] + edit.range.end.character
            text = text[:begin] + edit.new_text + text[end:]
        return text


@asynccontextmanager
async def editor(
    uri: str = "file:///game.tkid", capabilities: types.ClientCapabilities | None = None
) -> AsyncIterator[Editor]:
    """An editor that has started the server, and ends it in the end as the protocol asks."""
    client = LanguageClient("test", "1")
    await client.start_io(sys.executable, "-m", "tkid", "lsp")
    asked = types.InitializeParams(capabilities=capabilities or types.ClientCapabilities(), process_id=os.getpid())
    await asyncio.wait_for(client.initialize_async(asked), PATIENCE)
    client.initialized(types.InitializedParams())
    try:
        yield Editor(client, uri)
    finally:
        await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
        client.exit(None)
        await asyncio.wait_for(client.stop(), PATIENCE)  # type: ignore[no-untyped-call]
