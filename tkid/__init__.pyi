from tkid.games.struggle.rules.board import Position as Position
from tkid.kernel.game import Game as Game
from tkid.kernel.game import View as View
from tkid.library import TurnError as TurnError
from tkid.library import draw as draw
from tkid.library import legal as legal
from tkid.library import legal_turns as legal_turns
from tkid.library import new_game as new_game
from tkid.library import play as play
from tkid.record.format.new_game import NewGameError as NewGameError
from tkid.record.format.reader import read_record as read_record
from tkid.record.play.replay import replay as replay
from tkid.record.play.writer import write_record as write_record
from tkid.rulebook.rulesets import rulesets as rulesets

__version__: str
PLACES: dict[str, str]
