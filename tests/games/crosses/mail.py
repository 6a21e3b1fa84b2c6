"""Letters about Crosses."""

from tkid.mail.plugin import MailPlugin


# --8<-- [start:mail]
class CrossesMail(MailPlugin):
    """A few words; the sentences follow from the moves and their events."""

    title = "Crosses"
    learn = "adding-a-game/"
    turn = "`b2`, or `Erase b2` with your card"


PLUGIN = CrossesMail()
# --8<-- [end:mail]
