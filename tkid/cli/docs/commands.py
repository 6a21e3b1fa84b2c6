"""Commands for reading the rules without a network: docs."""

from __future__ import annotations

from typing import Annotated

import typer

from tkid.cli.support import fail, stop_on_os_error

app = typer.Typer()


@app.command(epilog="Example: tkid docs; or: tkid docs --address")
def docs(
    address: Annotated[
        bool, typer.Option("--address", help="Only print where the site is. A copy that exists is not built again.")
    ] = False,
) -> None:
    """Open the rules site, without a network. It comes with the program, or is built in a copy of the source."""
    import webbrowser

    from tkid.cli.docs.copies import NoSiteError, local_site
    from tkid.rulebook import site

    try:
        with stop_on_os_error("The site could not be unpacked"):
            start = local_site(as_it_is=address).as_uri()
    except NoSiteError as error:
        fail(f"{error}\nOn the network it is at {site.address()}")
    if address or not webbrowser.open(start):
        typer.echo(start)
