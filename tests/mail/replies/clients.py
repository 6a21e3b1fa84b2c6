"""Mail programs: how each writes a reply as plain text, and what it puts into the header."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from tests.mail.replies.drafts import Draft
from tests.mail.replies.forms import Html, Plain, labelled, who
from tests.mail.replies.pages import (
    APPLE_HTML,
    GMAIL_APP_HTML,
    GMAIL_HTML,
    GMX_HTML,
    IOS_HTML,
    K9_HTML,
    MAIL_RU_HTML,
    MOZ_HTML,
    OWA_HTML,
    PROTON_HTML,
    QQ_HTML,
    SAMSUNG_HTML,
    WORD_HTML,
    YAHOO_HTML,
)

RULE = "_" * 32


@frozen
class Client:
    """A mail program. `shape` is what it sends unless told otherwise; `kind` the content type of its plain text.

    `marks` tells whether the plain text marks what it quotes. `headers` are of its own; `reply` stands before the
    subject, "" for Outlook's own way in each language. `sent_from` names the signature that it adds.
    """

    plain: Plain
    html: Html
    shape: str
    message_id: str
    headers: tuple[str, ...] = ()
    kind: str = "text/plain"
    boundary: str = "=_{}"
    reply: str = "Re: "
    sent_from: str = ""
    marks: bool = True


def _lines(client: str) -> Callable[[Draft], list[str]]:
    return lambda draft: [draft.intro(client)]


def _original(draft: Draft) -> list[str]:
    return [draft.language.original, *labelled(draft, end=" "), ""]


OUTLOOK = (
    "X-Mailer: Microsoft Outlook 16.0",
    "Thread-Index: AQHZm5E0l0pQ7m3zRkqAAAAAAAAAAA==",
    "Content-Language: en-gb",
)
OWA = ("Thread-Topic: [tkid] turn", "Accept-Language: en-US", "X-MS-Has-Attach:", "X-MS-TNEF-Correlator:")
APPLE = ("X-Mailer: Apple Mail (2.3774.600.62)",)
OUTLOOK_ID = "<{}@{}.eurprd04.prod.outlook.com>"

CLIENTS: dict[str, Client] = {
    "gmail-web": Client(
        Plain(_lines("gmail"), after_intro=1, width=78),
        GMAIL_HTML,
        "alternative",
        "<CAJ7x={}@mail.gmail.com>",
        boundary="000000000000{}",
    ),
    "gmail-app": Client(
        Plain(_lines("gmail-app"), after_intro=1, width=78),
        GMAIL_APP_HTML,
        "alternative",
        "<CAPx={}@mail.gmail.com>",
        boundary="000000000000{}",
    ),
    "outlook-desktop": Client(
        Plain(_original, mark="", bare="", width=76),
        WORD_HTML,
        "plain",
        "<00ab01d95c${}$@example.org>",
        OUTLOOK,
        boundary="----=_NextPart_000_00AB_01D95C.{}",
        reply="",
        marks=False,
    ),
    "outlook-prefixing": Client(
        Plain(_original, quoted_intro=True, bare="> ", width=76),
        WORD_HTML,
        "plain",
        "<00cd01d95c${}$@example.org>",
        OUTLOOK,
        boundary="----=_NextPart_000_00CD_01D95C.{}",
        reply="",
    ),
    "outlook-word": Client(
        Plain(lambda draft: [*labelled(draft), ""], mark="", bare=""),
        WORD_HTML,
        "alternative",
        OUTLOOK_ID,
        OUTLOOK,
        boundary="_000_{}_",
        reply="",
        marks=False,
    ),
    "outlook-web": Client(
        Plain(lambda draft: [RULE, *labelled(draft), ""], mark="", bare=""),
        OWA_HTML,
        "alternative",
        OUTLOOK_ID,
        OWA,
        boundary="_000_{}_",
        marks=False,
    ),
    "outlook-mobile": Client(
        Plain(lambda draft: [RULE, *labelled(draft), ""], mark="", bare=""),
        OWA_HTML,
        "alternative",
        OUTLOOK_ID,
        OWA,
        boundary="_000_{}_",
        sent_from="outlook",
        marks=False,
    ),
    "apple-mail": Client(
        Plain(_lines("apple"), quoted_intro=True, after_intro=1, bare="> "),
        APPLE_HTML,
        "plain",
        "<{}@example.org>",
        APPLE,
        boundary="Apple-Mail=_{}",
    ),
    "apple-mail-delsp": Client(
        Plain(_lines("apple"), after_intro=1, flows="delsp"),
        APPLE_HTML,
        "plain",
        "<{}@example.org>",
        ("X-Mailer: Apple Mail (2.1085)",),
        "text/plain; format=flowed; delsp=yes",
        "Apple-Mail-1--{}",
    ),
    "ios": Client(
        Plain(_lines("apple"), bare="> ", sign="\ufeff", quoted_intro=True, after_intro=1),
        IOS_HTML,
        "plain",
        "<{}@example.org>",
        ("X-Mailer: iPhone Mail (22A3354)",),
        boundary="Apple-Mail-{}",
        sent_from="ios",
    ),
    "thunderbird": Client(
        Plain(_lines("thunderbird"), flows="flowed"),
        MOZ_HTML,
        "plain",
        "<{}@example.org>",
        ("User-Agent: Mozilla Thunderbird", "Content-Language: en-US"),
        "text/plain; format=flowed",
        "------------{}",
    ),
    "mutt": Client(
        Plain(_lines("mutt"), bare="> ", width=72),
        MOZ_HTML,
        "plain",
        "<20261121111213.GA{}@example.org>",
        ("Content-Disposition: inline", "User-Agent: Mutt/2.2.12 (2023-09-09)"),
    ),
    "k9": Client(
        Plain(_lines("k9"), mark=">", bare=">"),
        K9_HTML,
        "plain",
        "<{}@example.org>",
        ("User-Agent: K-9 Mail for Android",),
        boundary="----{}",
        sent_from="k9",
    ),
    "yahoo": Client(
        Plain(lambda draft: [f"    {draft.intro('yahoo')}  ", " "], mark=" ", bare=" ", before_intro=2),
        YAHOO_HTML,
        "alternative",
        "<1763719933.{}@mail.yahoo.com>",
        ("X-Mailer: WebService/1.1.22941 YMailNovation",),
        boundary="----=_Part_{}",
        marks=False,
    ),
    "protonmail": Client(
        Plain(_lines("protonmail"), after_intro=1),
        PROTON_HTML,
        "alternative",
        "<{}=@example.org>",
        ("X-Pm-Message-ID: 5f1c",),
        boundary="b1={}",
        sent_from="protonmail",
    ),
    "samsung": Client(
        Plain(lambda draft: [f"---{draft.language.original}---", *labelled(draft, end=" "), ""], mark="", bare=""),
        SAMSUNG_HTML,
        "alternative",
        "<{}@email.android.com>",
        boundary="--_com.samsung.android.email_{}",
        marks=False,
    ),
    "gmx": Client(
        Plain(lambda draft: [*labelled(draft), ""], mark="", bare=""),
        GMX_HTML,
        "html",
        "<trinity-{}@3c-app-gmx-bap02>",
        marks=False,
    ),
    "mail-ru": Client(
        Plain(
            lambda draft: [f"Суббота, 21 ноября 2026, 13:00 +03:00 от {who(draft)}:"],
            mark=">",
            bare="> ",
            quoted_intro=True,
            after_intro=1,
        ),
        MAIL_RU_HTML,
        "alternative",
        "<1763719933.{}@f123.i.mail.ru>",
        ("X-Mailer: Mail.Ru Mailer 1.0",),
        boundary="--ALT--{}",
    ),
    "qq": Client(
        Plain(
            lambda draft: ["------------------&nbsp;原始邮件&nbsp;------------------", *labelled(draft, end=";"), ""],
            mark="",
            bare="",
            before_intro=4,
        ),
        QQ_HTML,
        "alternative",
        "<tencent_{}@qq.com>",
        ("X-QQ-Mailer: QQMail 2.x",),
        boundary="----=_NextPart_{}",
        reply="回复：",
        marks=False,
    ),
    "netease": Client(
        Plain(lambda draft: [f"在 2026-11-21 18:00:00，{who(draft)} 写道：", ""], mark=">", bare=">", before_intro=5),
        MAIL_RU_HTML,
        "alternative",
        "<{}@163.com>",
        ("X-Mailer: Coremail Webmail Server",),
        boundary="----=_Part_{}",
    ),
    "the-bat": Client(
        Plain(lambda _: ["Вы писали 21 ноября 2026 г., 13:00:00:", ""], mark="t> ", bare=""),
        MOZ_HTML,
        "plain",
        "<{}@example.org>",
        ("X-Mailer: The Bat! (v9.3.4)", "X-Priority: 3 (Normal)"),
        marks=False,
    ),
    "protonmail-app": Client(
        Plain(
            lambda draft: ["-------- Original Message --------", draft.intro("protonmail")],
            mark="",
            bare="",
            after_intro=1,
        ),
        PROTON_HTML,
        "alternative",
        "<{}=@example.org>",
        boundary="b1={}",
        marks=False,
    ),
}
