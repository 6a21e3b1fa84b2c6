"""Read the register of rules, and hold the address of the site.

The default address is here and nowhere else. Each user or host may choose another, with `--rules-url` or in the host's
settings, because a link that leads nowhere is worse than an id.

The register has one TOML file for each prefix, the first word of an id: `second.toml` holds `second.*`. Rules about
files, mails and hosts are next to this module, those of a game in its room, in `rulesets/`. `page` and `title` name the
page of the site that lists them, `rulesets` the codes of the rulesets that play by them, `names` what people call them,
`signs` words that only they have. The other keys are ids. An entry has `kind`, `title`, `statement` and `source`. It may have
`short`, `asks`, `words`, `why`, `means`, `same`, `example` and `related`, and `confidence` if that is less than certain. A
ruling has `question`, `options`, `default` and `reason` too; a retired id has `moved`.

A file need not repeat what another one states: `base`, before the first entry, names the prefix of the other. A rule of
the base then holds unless the file has one of the same local id (what follows the prefix) or lists that under `without`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tkid.kernel.pickling import PortableError, pickle_call
from tkid.kernel.plugins import find_rooms

DEFAULT = "https://tkid.readthedocs.io/"
_chosen: list[str] = []


def set_site(address: str) -> None:
    """Let every link lead to this copy of the site. Raises ValueError if it can't be the address of a site."""
    if not is_site(address):
        raise ValueError(f"{address!r} is not the address of a site. Write it like {DEFAULT}")
    _chosen[:] = [address.rstrip("/") + "/"]


def is_site_chosen() -> bool:
    """Return True if another address than the default was chosen."""
    return bool(_chosen)


def is_site(address: str) -> bool:
    """Return True if this can be the address of a site: on the web, or in a folder of this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    place = parts.netloc if parts.scheme in {"http", "https"} else parts.path if parts.scheme == "file" else ""
    return bool(place) and not (parts.query or parts.fragment or " " in address) and address.isprintable()


def find_address(path: str = "") -> str:
    """Return the address of a page of the site by its path; without a path, that of the home page."""
    return f"{_chosen[0] if _chosen else DEFAULT}{path}"


KINDS = ("definition", "constraint", "procedure", "ending", "ruling")
VERSION = "2026.12"
"""The register's own version: raised when a statement changes, or rules are added."""

C = TypeVar("C", bound=Callable[..., object])
V = TypeVar("V")


class UnknownRuleError(PortableError, LookupError):
    """Code or a person cites a rule that the register does not have."""


class UnknownOptionError(PortableError, LookupError):
    """Code takes an option that a ruling does not have."""

    def __init__(self, ruling: str, option: str, options: Iterable[str]) -> None:
        super().__init__(ruling, option, tuple(options))

    def __str__(self) -> str:
        ruling, option, options = self.args
        return f"{option!r} is not an option of {ruling}; its options are {', '.join(options)}"


class Rule(NamedTuple):
    """An entry of the register: a named tuple, so that `tkid rule` starts without attrs.

    `id` is permanent, dotted, general to specific. `title` is what somebody would look for, `short` the answer in a few
    words. `asks` are questions that people ask, each with its answer; `words` are other words and phrases for the same
    thing. `why` is the reason in short, `means` what the rule means in play. `same` is the local id that the same rule
    has in other editions, where that is not its own. `example` is the case of the conformance suite that shows it best.
    `source` names text and heading; for a ruling, what leaves it open.
    `options` of a ruling are the readings that a record may choose from, by name, each with its meaning; `default` is
    the usual one. `moved` is the id that replaces a retired one. `confidence` says how sure we are of the statement, ""
    where nothing is in doubt.
    """

    id: str
    kind: str
    statement: str
    source: str
    title: str = ""
    short: str = ""
    asks: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    why: str = ""
    means: str = ""
    same: str = ""
    example: str = ""
    related: tuple[str, ...] = ()
    question: str = ""
    options: Mapping[str, str] = MappingProxyType({})
    default: str = ""
    reason: str = ""
    moved: str = ""
    confidence: str = ""

    @property
    def page(self) -> str:
        """The page of the site that states the rule, without its address."""
        return find_page(self.prefix)

    @property
    def prefix(self) -> str:
        """The first word of the id, which names the rule's owner."""
        return self.id.partition(".")[0]

    @property
    def link(self) -> str:
        """The permanent address of the rule."""
        return find_address(f"r/{self.id}/")

    @property
    def path(self) -> str:
        """The path of the rule's own page on the site."""
        return f"rules/{self.id.replace('.', '/')}/"

    @property
    def topic(self) -> str:
        """The subject of the rule, shared by the same rule of other editions."""
        return self.same or self.id.partition(".")[2]

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(Rule, *self._replace(options=dict(self.options)))


@cache
def _list_folders() -> Mapping[str, tuple[str, Path]]:
    """Return the game of each prefix, "" for rules about files, mails and hosts, and the folder of its rules."""
    rooms = {"": __package__, **{game: f"{room}.rulesets" for game, room in find_rooms().items()}}
    folders = [(game, Path(import_module(package).__path__[0])) for game, package in rooms.items()]
    found = ((file.name, game, folder) for game, folder in folders for file in folder.iterdir())
    return dict(sorted((name[:-5], (game, folder)) for name, game, folder in found if name.endswith(".toml")))


def find_game_name(prefix: str) -> str:
    """Return the name of the game to which a prefix belongs, "" for rules about files, mails and hosts."""
    return _list_folders()[prefix][0] if prefix in _list_folders() else ""


def list_prefixes() -> tuple[str, ...]:
    """Return every prefix that ids may have, in alphabetical order."""
    return tuple(_list_folders())


@cache
def read_register_text(prefix: str) -> str:
    """Return one file of the register as it is written, comments included."""
    return _list_folders()[prefix][1].joinpath(f"{prefix}.toml").read_text("utf-8")


@cache
def _read_file(prefix: str) -> Mapping[str, Any]:
    """Return one file of the register, from its prepared form if that was made of the same text."""
    return parse_prepared(_list_folders()[prefix][1], prefix, read_register_text(prefix))


def parse_prepared(folder: Path, name: str, text: str) -> Mapping[str, Any]:
    """Return the table of a TOML file, from its prepared form beside it if that was made of the same text."""
    try:
        prepared = json.loads(folder.joinpath(f"{name}.prepared.json").read_bytes())
    except (OSError, ValueError):
        prepared = {}
    if prepared.get("of") == sha256(text.encode()).hexdigest():
        table: dict[str, Any] = prepared["table"]
        return table
    return _parse_text(text)


def _parse_text(text: str) -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415 - not needed where the file was prepared

    return tomllib.loads(text)


def find_page(prefix: str) -> str:
    """Return the page of the site that states the rules of a prefix, without its address."""
    return str(_read_file(prefix)["page"])


def find_page_title(prefix: str) -> str:
    """Return the title of the page that states the rules of a prefix."""
    return str(_read_file(prefix)["title"])


def read_heading(prefix: str) -> Mapping[str, Any]:
    """Return the head of a file of the register: `page`, `title`, `base`, `without`, `rulesets`, `names`, `signs`, `variants`, `instead`."""
    return {name: value for name, value in _read_file(prefix).items() if not isinstance(value, dict)}


@cache
def list_own_rules(prefix: str) -> Mapping[str, Rule]:
    """Return the rules of one file of the register, in its order (which is the reading order)."""
    return {
        key: Rule(id=key, **{name: _freeze_value(name, value) for name, value in entry.items()})
        for key, entry in _read_file(prefix).items()
        if isinstance(entry, dict)
    }


def _freeze_value(name: str, value: Any) -> Any:
    if name == "asks":
        return tuple((question, answer) for question, answer in value)
    return tuple(value) if isinstance(value, list) else value


def find_base(prefix: str) -> str:
    """Return the prefix whose rules hold if this one has no rule of its own, or "" if it has no base."""
    return str(_read_file(prefix).get("base", ""))


@cache
def list_in_force(prefix: str) -> Mapping[str, Rule]:
    """Return the rules that hold under a prefix by local id: those of its base in their order, replaced by its own, and the rest."""
    inherited = dict(list_in_force(find_base(prefix))) if find_base(prefix) else {}
    for local in _read_file(prefix).get("without", ()):
        del inherited[local]
    return inherited | {rule_id.partition(".")[2]: entry for rule_id, entry in list_own_rules(prefix).items()}


def all_rules() -> Iterator[Rule]:
    """Return every rule of the register.

    Returns:
        The rules by the first word of their ids, in reading order within it.
    """
    return (entry for prefix in list_prefixes() for entry in list_own_rules(prefix).values())


def is_known_rule(rule_id: str) -> bool:
    prefix = rule_id.partition(".")[0]
    return prefix in list_prefixes() and rule_id in list_own_rules(prefix)


def rule(rule_id: str) -> Rule:
    """Return the rule with an id.

    Args:
        rule_id: the whole id, such as `second.turn.pass`; capitals and spaces around it do not matter.

    Returns:
        The entry of the register.

    Raises:
        UnknownRuleError: no rule has this id; the message names similar ids.
    """
    typed = rule_id.strip()
    rule_id = typed.lower()
    if not is_known_rule(rule_id):
        alike = get_close_matches(rule_id, [r.id for r in all_rules()], n=3)
        raise UnknownRuleError(f"no rule {typed!r}" + (f"; did you mean {' or '.join(alike)}?" if alike else ""))
    return list_own_rules(rule_id.partition(".")[0])[rule_id]


def choose_reading(readings: Mapping[str, str], ruling: str, values: Mapping[str, V]) -> V:
    """Return the value of the chosen option of a ruling; `values` has one for each option in the register.

    Raises ValueError if `values` has other options, UnknownOptionError if it doesn't have the chosen option.
    """
    options = rule(ruling).options
    if set(values) != set(options):
        raise ValueError(f"the options of {ruling} are {', '.join(options)}, not {', '.join(values)}")
    option = readings[ruling]
    if option not in options:
        raise UnknownOptionError(ruling, option, options)
    return values[option]


class Ids:
    """Makes whole ids of local ones: `Ids("second")("card.assemble")` is `second.card.assemble`.

    Where the prefix has a base and no such rule of its own, the id is the base's.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._checked: dict[str, str] = {}

    def __call__(self, local: str) -> str:
        """Return the whole id of a local one. It is checked when first asked for. Raises UnknownRuleError."""
        return self._checked.get(local) or self._check_id(local)

    def cite(self, *local: str) -> None:
        """Cite rules that a value states; call it next to that value. Raises UnknownRuleError."""
        for each in local:
            self(each)

    @property
    def cited(self) -> frozenset[str]:
        """The whole ids asked for so far."""
        return frozenset(self._checked.values())

    def _check_id(self, local: str) -> str:
        entry = list_in_force(self.prefix).get(local) if self.prefix in list_prefixes() else None
        if entry is None:
            raise UnknownRuleError(f"code cites {f'{self.prefix}.{local}'!r}, which is not in the register")
        return self._checked.setdefault(local, entry.id)


CITATIONS: dict[CodeType, tuple[str, ...]] = {}
"""Citations of functions: whole ids, or local ones that are completed with the prefix of each ruleset."""


def cites(*ids: str) -> Callable[[C], C]:
    """Mark the function that carries out a procedure or an ending with the rules that it implements.

    The ids are whole, or local (`struggle.trigger`). A test looks whether they exist.
    """

    def mark(function: C) -> C:
        if not isinstance(function, FunctionType):
            raise TypeError("only functions cite")
        CITATIONS[function.__code__] = ids
        return function

    return mark
