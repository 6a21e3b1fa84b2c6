"""Whole pages in the site's own look: Start, Ask, rules and cards, made from the templates in docs/templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import takewhile
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from docs.making.words import ROOT, capital
from tkid.rulebook.register import DEFAULT as SITE
from tkid.rulebook.register import VERSION, find_page_title
from tkid.rulebook.rulesets import Ruleset, ruleset, rulesets

TEMPLATES = ROOT / "docs" / "templates"
"""Where the templates are. The site leaves them out."""


class Tab(NamedTuple):
    """An entry of the main menu: its name in the code, its path, its words on a desk, and on a phone ("" if not there)."""

    key: str
    path: str
    words: str
    short: str = ""


TABS = (
    Tab("ask", "ask/", "Ask", "Ask"),
    Tab("learn", "ten-minutes/", "Learn", "Learn"),
    Tab("play", "play/", "Play", "Play"),
    Tab("rules", "rules/", "Rules", "Rules"),
    Tab("cards", "cards/", "Cards"),
    Tab("more", "more/", "More", "More"),
)
"""The main menu, the same on every page."""


class Edition(NamedTuple):
    """An edition that people can choose.

    It has a key in addresses, a short name on tags, a full name on buttons, the code of a ruleset to rank by, and the
    prefix of its rules.
    """

    key: str
    short: str
    name: str
    code: str
    prefix: str


@cache
def ruleset_names() -> dict[str, tuple[str, str]]:
    """The short and the full name of each ruleset, by its code: those of its edition, or of a variant of that."""
    names: dict[str, tuple[str, str]] = {}
    for each in rulesets():
        edition = each.rule_prefix.capitalize(), find_page_title(each.rule_prefix)
        variant = each.title.partition(": the ")[2]
        word = variant.partition(" ")[0]
        if edition not in names.values():
            names[each.code] = edition
        elif capital(variant) not in {full for _, full in names.values()}:
            names[each.code] = capital(word), capital(variant)
        else:
            names[each.code] = f"{edition[0]}, {word}", f"{edition[1]}, {variant}"
    return names


def _list_editions() -> tuple[Edition, ...]:
    """The editions: rulesets that share a page are one. Texts by unknown authors come last."""
    by_page: dict[str, Edition] = {}
    for each in sorted(rulesets(), key=lambda each: "unknown author" in each.source):
        short, name = ruleset_names()[each.code]
        by_page.setdefault(_page(each), Edition(short.lower(), short, name, each.code, each.rule_prefix))
    return tuple(by_page.values())


def _page(ruleset: Ruleset) -> str:
    return ruleset.page.partition("#")[0]


EDITIONS = _list_editions()
"""The editions in the order of the list. The first one is chosen until somebody chooses another."""
OF_RULESET = {
    each.code: next(edition.key for edition in EDITIONS if _page(ruleset(edition.code)) == _page(each))
    for each in rulesets()
}
"""The key of the edition that people choose, by the code of a ruleset."""

ABOUT = (
    "Unofficial rules of the board game The King is Dead, each with its own page, and the engine to play it by e-mail."
)
FRAME = {
    "menu": TABS,
    "editions": EDITIONS,
    "register_version": VERSION,
    "site": SITE,
    "site_about": ABOUT,
    "material": False,
}
"""What the templates of the frame show, on our own pages and on those of mkdocs-material."""

PagesOfAKind = Callable[[], Iterable[tuple[str, str]]]
POCKET_PAGES: list[PagesOfAKind] = []
"""Functions that make pages: each gives the path of a page, such as `ask/index.html`, and its HTML."""


def pocket_pages(make: PagesOfAKind) -> PagesOfAKind:
    """Enter a function that makes pages, as a decorator."""
    POCKET_PAGES.append(make)
    return make


def relative(path: str, here: str) -> str:
    """The link from a page to another path of the site.

    Args:
        path: a file, or a folder with `/` at its end ("" is Start); `?` and `#` may follow.
        here: the path of the page that has the link, such as `rules/index.html`.

    Returns:
        A relative link.
    """
    place = next((i for i, sign in enumerate(path) if sign in "?#"), len(path))
    target, rest = path[:place], path[place:]
    if not target and rest and here == "index.html":
        return rest
    folders, goal = here.split("/")[:-1], target.split("/")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(folders, goal[:-1], strict=False)))
    way = "../" * (len(folders) - shared) + "/".join(goal[shared:])
    return (way or "./") + rest


@cache
def environment() -> Environment:
    """What renders the templates."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        auto_reload=False,
        autoescape=select_autoescape(default=True),
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(FRAME, description="")
    return made


def pocket(template: str, here: str, **context: Any) -> str:
    """A whole page from a template.

    Args:
        template: a file in docs/templates, such as `rule.html`, which extends `base.html`.
        here: the path of the page on the site, such as `rules/second/struggle/tie/index.html`.
        context: what the template shows. `base.html` needs `title`; `tab` (a key of TABS) and `description` are optional.

    Returns:
        The HTML. Every link in it that is made by `to(path)` is relative.
    """

    def current(key: str) -> str:
        return Markup(' aria-current="page"') if key == context.get("tab") else ""

    to = partial(relative, here=here)
    return environment().get_template(template).render(to=to, here=here, current=current, **context)
