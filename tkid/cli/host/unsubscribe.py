"""The command behind a mail program's button for unsubscribing: host unsubscribe, by hand or as a CGI program."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from tkid.cli.host.shared import Folder, directory_in, now, store_of
from tkid.cli.support import fail

CLICK = b"List-Unsubscribe=One-Click"
"""What the button posts."""
MOST = 1000
"""Bytes of a body that are read."""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title></head>
<body>
<h1>{title}</h1>
<p>{text}</p>
{form}</body>
</html>
"""
FORM = """\
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>
"""
OK, UNKNOWN, WRONG_METHOD = "200 OK", "404 Not Found", "405 Method Not Allowed"


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: tkid host unsubscribe games mfrggzdfmztw")(unsubscribe)


def unsubscribe(
    folder: Folder,
    key: Annotated[str, typer.Argument(help="The key of the letter. A web server passes it in QUERY_STRING.")] = "",
) -> None:
    """End the letters of the kind that a key belongs to. Run by a web server as CGI, it unsubscribes only on a POST."""
    method = os.environ.get("REQUEST_METHOD", "")
    key = key or os.environ.get("QUERY_STRING", "")
    if not method:
        if not _done(folder, key):
            fail(f"`{key}` is no key of a letter that can be unsubscribed.")
        typer.echo("Unsubscribed.")
    elif method in {"GET", "HEAD"}:
        _answer(OK, "Unsubscribe", "Press the button, and you get no more letters of this kind.", FORM)
    elif method != "POST" or CLICK not in _posted():
        _answer(WRONG_METHOD, "Nothing was changed", "To unsubscribe, use the button of your mail program.")
    elif _done(folder, key):
        _answer(OK, "Unsubscribed", "You get no more letters of this kind. Games that you play go on.")
    else:
        _answer(UNKNOWN, "Nothing was changed", "This link belongs to no letter. Reply `stop` to the letter instead.")


def _posted() -> bytes:
    """What was posted. Web servers leave the line open behind it, so no more is read than CONTENT_LENGTH says."""
    length = os.environ.get("CONTENT_LENGTH", "")
    return sys.stdin.buffer.read(min(int(length), MOST)) if length.isdecimal() else b""


def _done(folder: Folder, key: str) -> bool:
    """Whether the letters were ended that a key belongs to."""
    directory = directory_in(folder)
    from tkid.host.visitors.unsubscribing import unsubscribe as end

    with store_of(directory) as store:
        return end(directory.host(store), key, now())


def _answer(status: str, title: str, text: str, form: str = "") -> None:
    """The answer of a CGI program."""
    head = f"Status: {status}\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\r\n"
    sys.stdout.write(head + PAGE.format(title=title, text=text, form=form))
