"""Orders in canonical form: how each is written down, so that reading it gives the same order again."""

from __future__ import annotations

from attrs import field, frozen

from tkid.notation.people import EVERYBODY, People, single
from tkid.notation.plugin import TurnReader
from tkid.orders.kinds import kind_of
from tkid.orders.model import Condition, If, Order, Planned, Say, Standing, Step, Steps, Stop, Turn
from tkid.orders.plugin import OrderLanguage, order_language


@frozen
class Writer:
    """Writes the orders of a game with these players; `turns` reads its turns."""

    turns: TurnReader
    people: People
    language: OrderLanguage = field(init=False)

    @language.default
    def _(self) -> OrderLanguage:
        return order_language(self.turns.game)

    def order(self, order: Order) -> str:
        """An order as one line."""
        match order:
            case Turn(text):
                return text
            case Standing():
                return self.language.write_standing(order, self.turns.game, self.people)
            case Planned(steps):
                return self._plan(steps)
            case Say(to, text):
                return f"say to {to if isinstance(to, str) else self._addressee(to)}: {text}"
        write = kind_of(order).write
        assert write is not None
        return write(order)

    def _addressee(self, seat: int) -> str:
        """To whom something is said: the name, or the number where that is clearer."""
        name = self.people.names[seat]
        clear = single(name) not in EVERYBODY and ":" not in single(name) and self.people.seat(name) == seat
        return str(seat + 1) if not clear else name

    def _plan(self, steps: Steps) -> str:
        """A plan; one of a single turn stands in parentheses, so that it is not taken for the turn itself."""
        return self._steps(steps) if len(steps) > 1 or isinstance(steps[0], If) else f"({self._steps(steps)})"

    def _steps(self, steps: Steps, *, last: bool = True) -> str:
        """The steps of a plan; `last` tells that nothing follows which could be taken for a part of them."""
        *others, final = steps
        written = [self._step(step, last=False) for step in others]
        return "; then ".join([*written, self._step(final, last=last)])

    def _step(self, step: Step, *, last: bool) -> str:
        if isinstance(step, Turn):
            return step.text
        if isinstance(step, Stop):
            return "stop"
        written = self._if(step)
        return written if last else f"({written})"

    def _if(self, step: If) -> str:
        joined = (" and " if step.every else " or ").join(map(self.condition, step.conditions))
        then = self._steps(step.then, last=step.otherwise is None)
        if step.otherwise is None:
            return f"if {joined}: {then}"
        return f"if {joined}: {then}; else {self._steps(step.otherwise)}"

    def condition(self, condition: Condition) -> str:
        """A condition of a plan."""
        return self.language.write_condition(condition, self.turns.game, self.people)
