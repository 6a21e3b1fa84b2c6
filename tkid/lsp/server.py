"""The language server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from tkid import __version__
from tkid.kernel.problems import Kind, Problem
from tkid.lsp import open_file
from tkid.rulebook import is_known_rule, rule

NAME = "tkid"
MAX_PROBLEMS = 1000


class RecordServer(LanguageServer):
    """A language server that remembers open files as last read; `viewer` returns the seat of the person at the editor."""

    def __init__(self, viewer: open_file.Viewer) -> None:
        super().__init__(NAME, __version__, types.TextDocumentSyncKind.Full)
        self.viewer = viewer
        self.readings: dict[str, open_file.OpenFile] = {}

    def get_document(self, uri: str) -> TextDocument | None:
        """Return an open file, in any spelling of its address; None if it is not open."""
        document: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return document

    def read_file(self, uri: str) -> open_file.OpenFile | None:
        """Return an open file as it is now, read again if it has changed; None if it is not open."""
        document, name = self.get_document(uri), unquote(uri)
        if document is None:
            return None
        known_reading = self.readings.get(name)
        if known_reading is None or known_reading.text != document.source:
            self.readings[name] = open_file.read_open_file(find_path(document), document.source)
        return self.readings[name]

    def publish_problems(self, uri: str) -> None:
        reading, document = self.read_file(uri), self.get_document(uri)
        assert reading is not None
        assert document is not None
        found = [self._make_diagnostic(uri, reading, problem) for problem in reading.problems[:MAX_PROBLEMS]]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version=document.version))

    def _make_diagnostic(self, uri: str, file: open_file.OpenFile, problem: Problem) -> types.Diagnostic:
        place = self.make_range(file, problem.line, open_file.find_problem_span(problem))
        client = self.client_capabilities.text_document
        shown = client.publish_diagnostics if client else None
        related, message = None, problem.message
        if problem.hint and shown is not None and shown.related_information:
            related = [types.DiagnosticRelatedInformation(types.Location(uri, place), problem.hint)]
        elif problem.hint:
            message = problem.told
        follows = problem.kind is Kind.FOLLOW_ON
        return types.Diagnostic(
            range=place,
            message=message,
            severity=types.DiagnosticSeverity.Information if follows else types.DiagnosticSeverity.Error,
            code=problem.rule,
            code_description=types.CodeDescription(rule(problem.rule).link) if is_known_rule(problem.rule) else None,
            source=NAME,
            related_information=related,
        )

    def make_range(self, file: open_file.OpenFile, line: int, span: open_file.Span) -> types.Range:
        last = len(file.lines) - 1
        row = min(max(line - 1, 0), last)
        start, end = span
        places = ServerTextRange(ServerTextPosition(row, start), ServerTextPosition(row, end))
        return self.workspace.position_codec.range_to_client_units(file.lines, places)

    def find_position(self, file: open_file.OpenFile, position: types.Position) -> tuple[int, int]:
        """Return the line, from 1, and the column, from 0, of a place named by the editor."""
        place = self.workspace.position_codec.position_from_client_units(file.lines, position)
        return place.line + 1, place.character

    def make_line_range(self, file: open_file.OpenFile, first: int, stop: int) -> types.Range:
        """Return lines with their ends as the editor counts; the last line of a file may have no end."""
        last = len(file.lines) - 1
        end = self.make_range(file, last + 1, (0, len(file.lines[last]))).end
        start = types.Position(first, 0) if first <= last else end
        return types.Range(start, types.Position(stop, 0) if stop <= last else end)


def find_path(document: TextDocument) -> str:
    """Return the path of a file. A semicolon, which some editors send unescaped, belongs to its name."""
    return to_fs_path(document.uri.replace(";", "%3B")) or document.path


POSITION = "tkid.position"
"""The command that draws a position. Its arguments are the address of the file and a line, from 0."""
PAUSE = 0.05
"""Seconds to wait after a change before a file is read again: nobody reads problems while typing."""


def serve(viewer: open_file.Viewer = open_file.get_next_player) -> None:
    """Serve an editor on standard input and output until it disconnects; `viewer` returns the seat whose view its user gets."""
    make_server(viewer).start_io()


def make_server(viewer: open_file.Viewer = open_file.get_next_player) -> RecordServer:
    ls = RecordServer(viewer)
    ls.feature(types.TEXT_DOCUMENT_DID_OPEN)(check_opened_file)
    ls.feature(types.TEXT_DOCUMENT_DID_CHANGE)(check_changed_file)
    ls.feature(types.TEXT_DOCUMENT_DID_CLOSE)(forget_closed_file)
    ls.feature(types.TEXT_DOCUMENT_HOVER)(show_hover)
    asked = types.CompletionOptions(trigger_characters=[" ", ";", "."])
    ls.feature(types.TEXT_DOCUMENT_COMPLETION, asked)(complete_turn)
    ls.feature(types.TEXT_DOCUMENT_FORMATTING)(tidy)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(list_turns)
    offered = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, offered)(offer_actions)
    ls.command(POSITION)(make_position_preview)
    return ls


def check_opened_file(ls: RecordServer, params: types.DidOpenTextDocumentParams) -> None:
    ls.publish_problems(params.text_document.uri)


async def check_changed_file(ls: RecordServer, params: types.DidChangeTextDocumentParams) -> None:
    """Publish the problems of a file that was changed, unless it is changed again at once."""
    uri, version = params.text_document.uri, params.text_document.version
    await asyncio.sleep(PAUSE)
    document = ls.get_document(uri)
    if document is not None and document.version == version:
        ls.publish_problems(uri)


def forget_closed_file(ls: RecordServer, params: types.DidCloseTextDocumentParams) -> None:
    ls.readings.pop(unquote(params.text_document.uri), None)
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


def show_hover(ls: RecordServer, params: types.HoverParams) -> types.Hover | None:
    reading = ls.read_file(params.text_document.uri)
    if reading is None:
        return None
    line, column = ls.find_position(reading, params.position)
    found = open_file.find_hover(reading, line, column)
    if found is None:
        return None
    return types.Hover(_make_markdown(found.text), ls.make_range(reading, line, found.span))


def complete_turn(ls: RecordServer, params: types.CompletionParams) -> types.CompletionList:
    """List the possible continuations of a turn. Editors ask again after each letter, as the list is short."""
    reading = ls.read_file(params.text_document.uri)
    if reading is None:
        return types.CompletionList(is_incomplete=False, items=[])
    line, column = ls.find_position(reading, params.position)
    items = []
    for index, choice in enumerate(open_file.list_completions(reading, line, column, ls.viewer)):
        typed = reading.lines[line - 1][choice.start : column]
        begins = choice.text.casefold().startswith(typed.casefold())
        about = open_file.describe_rule_in_markdown(choice.rule)
        items.append(
            types.CompletionItem(
                label=choice.text.strip(" ;"),
                kind=types.CompletionItemKind.Value if choice.whole else types.CompletionItemKind.Keyword,
                detail=choice.detail or None,
                documentation=_make_markdown(about) if about else None,
                sort_text=f"{index:03}",
                filter_text=choice.text if begins else typed,
                text_edit=types.TextEdit(ls.make_range(reading, line, (choice.start, column)), choice.text),
            )
        )
    return types.CompletionList(is_incomplete=True, items=items)


def tidy(ls: RecordServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    reading = ls.read_file(params.text_document.uri)
    tidy = open_file.format_file(reading) if reading is not None else None
    if reading is None or tidy is None:
        message = "Nothing was changed: the file has mistakes. Correct them, then format it again."
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return None
    return [
        types.TextEdit(ls.make_line_range(reading, each.first, each.stop), each.text)
        for each in open_file.list_changes(reading, tidy)
    ]


def list_turns(ls: RecordServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    reading = ls.read_file(params.text_document.uri)
    if reading is None:
        return []
    return [
        types.DocumentSymbol(
            name=entry.name,
            detail=entry.detail or None,
            kind=types.SymbolKind.Event,
            range=types.Range(
                types.Position(entry.line - 1, 0),
                ls.make_range(reading, entry.last, (0, len(reading.lines[entry.last - 1]))).end,
            ),
            selection_range=ls.make_range(reading, entry.line, entry.span),
        )
        for entry in open_file.make_outline(reading)
    ]


def offer_actions(ls: RecordServer, params: types.CodeActionParams) -> Sequence[types.CodeAction | types.Command]:
    """Offer repairs, and a command to show the position; only repairs if the editor asks only for those."""
    uri = params.text_document.uri
    reading = ls.read_file(uri)
    if reading is None:
        return []
    (first, _), (last, _) = ls.find_position(reading, params.range.start), ls.find_position(reading, params.range.end)
    about, only = params.context.diagnostics, params.context.only
    if only and types.CodeActionKind.QuickFix not in only:
        return []
    offered = [_make_action(ls, uri, reading, repair, about) for repair in open_file.list_repairs(reading, first, last)]
    if reading.replay is not None and not only:
        return [*offered, types.Command("Show the position", POSITION, arguments=[uri, first - 1])]
    return offered


def _make_action(
    ls: RecordServer, uri: str, file: open_file.OpenFile, repair: open_file.Repair, about: Sequence[types.Diagnostic]
) -> types.CodeAction:
    line = repair.problem.line
    edit = types.TextEdit(ls.make_range(file, line, repair.span), repair.text)
    place = ls.make_range(file, line, open_file.find_problem_span(repair.problem))
    return types.CodeAction(
        f"Write `{repair.text.lstrip('; ')}`",
        types.CodeActionKind.QuickFix,
        diagnostics=[each for each in about if each.range == place],
        edit=types.WorkspaceEdit({uri: [edit]}),
    )


def make_position_preview(ls: RecordServer, uri: str, line: int) -> dict[str, object] | None:
    reading = ls.read_file(uri)
    return open_file.draw_preview(reading, line + 1, ls.viewer) if reading is not None else None


def _make_markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)
