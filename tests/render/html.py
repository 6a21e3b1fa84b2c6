"""Reading a page of HTML back: its elements with their attributes, and its texts."""

from __future__ import annotations

from html.parser import HTMLParser

from attrs import Factory, define

READ = {"script", "style", "h1", "title", "bdi", "li"}
"""The elements whose texts are kept, by name."""


@define
class Page(HTMLParser):
    """What a page is made of; `words` is all its text but scripts and styles."""

    elements: list[tuple[str, dict[str, str]]] = Factory(list)
    texts: dict[str, list[str]] = Factory(dict)
    words: str = ""
    _open: list[str] = Factory(list)

    def __attrs_post_init__(self) -> None:
        super().__init__()

    @classmethod
    def of(cls, html: str) -> Page:
        """A page as it is written."""
        page = cls()
        page.feed(html)
        page.close()
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag in READ:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.words += "" if self.cdata_elem else data
        for tag in self._open:
            self.texts[tag][-1] += data

    def each(self, tag: str) -> list[dict[str, str]]:
        """The attributes of every element of a name."""
        return [attributes for name, attributes in self.elements if name == tag]
