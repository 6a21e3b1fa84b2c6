"""What the language server remembers: each file that is open, as it was read last; and its problems and places as editors count."""

from __future__ import annotations

from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from tkid import __version__
from tkid.kernel.problems import Kind, Problem
from tkid.lsp.hover import problem_span
from tkid.lsp.reading import Reading, Span, Viewer, read_text
from tkid.rulebook import known, rule

NAME = "tkid"
MOST_SHOWN = 1000
"""Maximum number of problems that an editor is sent for one file."""


class RecordServer(LanguageServer):
    """A language server with the last reading of each file that is open.

    `viewer` says whose view of a position the person at the editor gets.
    """

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(NAME, __version__, types.TextDocumentSyncKind.Full)
        self.viewer = viewer
        self._readings: dict[str, Reading] = {}

    def document(self, uri: str) -> TextDocument | None:
        """Return a file that is open, however the editor writes its address, or None."""
        document: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return document

    def reading(self, uri: str) -> Reading | None:
        """What is in a file that is open; None for another one."""
        document, name = self.document(uri), unquote(uri)
        if document is None:
            return None
        known_reading = self._readings.get(name)
        if known_reading is None or known_reading.text != document.source:
            self._readings[name] = read_text(path_of(document), document.source)
        return self._readings[name]

    def forget(self, uri: str) -> None:
        """Forget a file that is closed, and take its problems off the screen."""
        self._readings.pop(unquote(uri), None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str) -> None:
        """Show what is wrong with a file that is open."""
        reading, document = self.reading(uri), self.document(uri)
        assert reading is not None
        assert document is not None
        found = [self._diagnostic(uri, reading, problem) for problem in reading.problems[:MOST_SHOWN]]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version=document.version))

    def _diagnostic(self, uri: str, reading: Reading, problem: Problem) -> types.Diagnostic:
        place = self.place(reading, problem.line, problem_span(problem))
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
            code_description=types.CodeDescription(rule(problem.rule).link) if known(problem.rule) else None,
            source=NAME,
            related_information=related,
        )

    def place(self, reading: Reading, line: int, span: Span) -> types.Range:
        """A stretch of a line as the editor counts."""
        last = len(reading.lines) - 1
        row = min(max(line - 1, 0), last)
        start, end = span
        places = ServerTextRange(ServerTextPosition(row, start), ServerTextPosition(row, end))
        return self.workspace.position_codec.range_to_client_units(reading.lines, places)

    def position_of(self, reading: Reading, position: types.Position) -> tuple[int, int]:
        """Line, from 1, and column, from 0, of a place that the editor names."""
        place = self.workspace.position_codec.position_from_client_units(reading.lines, position)
        return place.line + 1, place.character

    def whole_lines(self, reading: Reading, first: int, stop: int) -> types.Range:
        """Lines with their ends; the last line of a file may have none."""
        last = len(reading.lines) - 1
        end = self.place(reading, last + 1, (0, len(reading.lines[last]))).end
        start = types.Position(first, 0) if first <= last else end
        return types.Range(start, types.Position(stop, 0) if stop <= last else end)


def path_of(document: TextDocument) -> str:
    """Return the path of a file. A semicolon, which some editors send as it is, belongs to its name."""
    return to_fs_path(document.uri.replace(";", "%3B")) or document.path
