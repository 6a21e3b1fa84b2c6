"""The language server: what the other modules know, said in the protocol that editors speak. It reads no file and writes none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from tkid.lsp.completion import completions
from tkid.lsp.fixes import Repair, repairs
from tkid.lsp.formatting import changes, tidied
from tkid.lsp.hover import hover, problem_span
from tkid.lsp.markdown import rule_text
from tkid.lsp.outline import outline
from tkid.lsp.preview import preview
from tkid.lsp.reading import Reading, Viewer, next_player
from tkid.lsp.session import RecordServer

POSITION = "tkid.position"
"""The command that draws a position. Its arguments are the address of the file and a line, from 0."""
PAUSE = 0.05
"""So many seconds after a change a file is read again, unless it changes once more: nobody reads problems while typing."""


def serve(viewer: Viewer = next_player) -> None:
    """Serve an editor on standard input and output until it goes.

    Args:
        viewer: whose view of a position the person at the editor gets.
    """
    server(viewer).start_io()


def server(viewer: Viewer = next_player) -> RecordServer:
    """A language server for game files."""
    ls = RecordServer(viewer)
    ls.feature(types.TEXT_DOCUMENT_DID_OPEN)(opened)
    ls.feature(types.TEXT_DOCUMENT_DID_CHANGE)(changed)
    ls.feature(types.TEXT_DOCUMENT_DID_CLOSE)(closed)
    ls.feature(types.TEXT_DOCUMENT_HOVER)(show)
    asked = types.CompletionOptions(trigger_characters=[" ", ";", "."])
    ls.feature(types.TEXT_DOCUMENT_COMPLETION, asked)(complete)
    ls.feature(types.TEXT_DOCUMENT_FORMATTING)(tidy)
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(list_turns)
    offered = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, offered)(act)
    ls.command(POSITION)(position)
    return ls


def opened(ls: RecordServer, params: types.DidOpenTextDocumentParams) -> None:
    """Publish the problems of a file that was opened."""
    ls.publish(params.text_document.uri)


async def changed(ls: RecordServer, params: types.DidChangeTextDocumentParams) -> None:
    """Publish the problems of a file that was changed, unless it is changed again at once."""
    uri, version = params.text_document.uri, params.text_document.version
    await asyncio.sleep(PAUSE)
    document = ls.document(uri)
    if document is not None and document.version == version:
        ls.publish(uri)


def closed(ls: RecordServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a file that was closed."""
    ls.forget(params.text_document.uri)


def show(ls: RecordServer, params: types.HoverParams) -> types.Hover | None:
    """Show the rule, the card or what followed."""
    reading = ls.reading(params.text_document.uri)
    if reading is None:
        return None
    line, column = ls.position_of(reading, params.position)
    found = hover(reading, line, column)
    if found is None:
        return None
    return types.Hover(_markdown(found.text), ls.place(reading, line, found.span))


def complete(ls: RecordServer, params: types.CompletionParams) -> types.CompletionList:
    """List what a turn may go on with. Asked again with each letter, as the list is short."""
    reading = ls.reading(params.text_document.uri)
    if reading is None:
        return types.CompletionList(is_incomplete=False, items=[])
    line, column = ls.position_of(reading, params.position)
    items = []
    for index, choice in enumerate(completions(reading, line, column, ls.viewer)):
        typed = reading.lines[line - 1][choice.start : column]
        begins = choice.text.casefold().startswith(typed.casefold())
        about = rule_text(choice.rule)
        items.append(
            types.CompletionItem(
                label=choice.text.strip(" ;"),
                kind=types.CompletionItemKind.Value if choice.whole else types.CompletionItemKind.Keyword,
                detail=choice.detail or None,
                documentation=_markdown(about) if about else None,
                sort_text=f"{index:03}",
                filter_text=choice.text if begins else typed,
                text_edit=types.TextEdit(ls.place(reading, line, (choice.start, column)), choice.text),
            )
        )
    return types.CompletionList(is_incomplete=True, items=items)


def tidy(ls: RecordServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """Tidy a file, as `tkid fmt` does."""
    reading = ls.reading(params.text_document.uri)
    tidy = tidied(reading) if reading is not None else None
    if reading is None or tidy is None:
        message = "Nothing was changed: the file has mistakes. Correct them, then format it again."
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return None
    return [
        types.TextEdit(ls.whole_lines(reading, each.first, each.stop), each.text) for each in changes(reading, tidy)
    ]


def list_turns(ls: RecordServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """List the turns."""
    reading = ls.reading(params.text_document.uri)
    if reading is None:
        return []
    return [
        types.DocumentSymbol(
            name=entry.name,
            detail=entry.detail or None,
            kind=types.SymbolKind.Event,
            range=types.Range(
                types.Position(entry.line - 1, 0),
                ls.place(reading, entry.last, (0, len(reading.lines[entry.last - 1]))).end,
            ),
            selection_range=ls.place(reading, entry.line, entry.span),
        )
        for entry in outline(reading)
    ]


def act(ls: RecordServer, params: types.CodeActionParams) -> Sequence[types.CodeAction | types.Command]:
    """Offer repairs, and to show the position; where only some kind is asked for, only that."""
    uri = params.text_document.uri
    reading = ls.reading(uri)
    if reading is None:
        return []
    (first, _), (last, _) = ls.position_of(reading, params.range.start), ls.position_of(reading, params.range.end)
    about, only = params.context.diagnostics, params.context.only
    if only and types.CodeActionKind.QuickFix not in only:
        return []
    offered = [_action(ls, uri, reading, repair, about) for repair in repairs(reading, first, last)]
    if reading.replay is not None and not only:
        return [*offered, types.Command("Show the position", POSITION, arguments=[uri, first - 1])]
    return offered


def _action(
    ls: RecordServer, uri: str, reading: Reading, repair: Repair, about: Sequence[types.Diagnostic]
) -> types.CodeAction:
    """A repair as the editor offers it, with the problems that it shows at this place."""
    change, problem = repair.change, repair.problem
    edit = types.TextEdit(ls.place(reading, change.line, change.span), change.text)
    place = ls.place(reading, problem.line, problem_span(problem))
    return types.CodeAction(
        f"Write `{change.text.lstrip('; ')}`",
        types.CodeActionKind.QuickFix,
        diagnostics=[each for each in about if each.range == place],
        edit=types.WorkspaceEdit({uri: [edit]}),
    )


def position(ls: RecordServer, uri: str, line: int) -> dict[str, object] | None:
    """The position after the turn on a line: the number of the turn, a title, and the picture as SVG."""
    reading = ls.reading(uri)
    shown = preview(reading, line + 1, ls.viewer) if reading is not None else None
    return {"turn": shown.turn, "title": shown.title, "svg": shown.svg} if shown else None


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)
