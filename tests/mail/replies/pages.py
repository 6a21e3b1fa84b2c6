"""How mail programs write a reply as HTML."""

from __future__ import annotations

from collections.abc import Callable

from tests.mail.replies.drafts import Draft
from tests.mail.replies.forms import Html, escaped, forwarded, labelled

BORDER = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"
GMAIL_QUOTE = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"
K9_QUOTE = "margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204, 204, 204); padding-left: 1ex;"


def gmail_intro(client: str) -> Callable[[Draft], str]:
    """Gmail's opening of a quotation, or of a forwarded mail."""

    def opens(draft: Draft) -> str:
        intro = "<br>\n".join(map(escaped, forwarded(draft))) if draft.forwarded else intro_of(client)(draft)
        return f'<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{intro}<br></div>'

    return opens


def intro_of(client: str) -> Callable[[Draft], str]:
    """The introduction of a quotation as HTML."""
    return lambda draft: escaped(draft.intro(client))


def word_opens(draft: Draft) -> str:
    """Outlook's line above the mail that is answered."""
    return (
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='{BORDER}'><p class=MsoNormal>"
        + "<br>".join(labelled(draft, bold=True))
        + "<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>"
    )


def owa_opens(draft: Draft) -> str:
    """The same of Outlook on the web."""
    labels = "<br>\n".join(labelled(draft, bold=True))
    font = '<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">'
    return (
        '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr">{font}{labels}</font>'
        '<div>&nbsp;</div>\n</div>\n<div class="BodyFragment"><font size="2"><span style="font-size:11pt;">'
    )


WORD_HEAD = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">'
    '<head><meta name=Generator content="Microsoft Word 15 (filtered medium)"><style><!--\n'
    'p.MsoNormal\n\t{margin:0cm;\n\tfont-size:11.0pt;\n\tfont-family:"Calibri",sans-serif;}\n--></style>'
    '<!--[if gte mso 9]><xml>\n<o:shapedefaults v:ext="edit" spidmax="1026" />\n</xml><![endif]--></head>'
    '<body lang=EN-GB link="#0563C1"><div class=WordSection1>'
)
OWA_HEAD = (
    '<html>\n<head>\n<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n'
    '</head>\n<body dir="ltr">\n'
)
APPLE_HEAD = '<html><head></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">'
MOZ_HEAD = "<!DOCTYPE html>\n<html>\n  <head>\n  </head>\n  <body>\n"
DIV = ("<div>", "</div>")
EMPTY = "<div><br></div>"

GMAIL_HTML = Html(
    ('<div dir="ltr">', "</div>\n"),
    DIV,
    EMPTY,
    gmail_intro("gmail"),
    (f'<blockquote class="gmail_quote" style="{GMAIL_QUOTE}">', "</blockquote>"),
    "</div>",
)
GMAIL_APP_HTML = Html(
    ('<div dir="auto">', "</div>\n"),
    ('<div dir="auto">', "</div>"),
    '<div dir="auto"><br></div>',
    gmail_intro("gmail-app"),
    ('<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">', "</blockquote>"),
    "</div>",
)
WORD_HTML = Html(
    (WORD_HEAD, "</div></body></html>"),
    ("<p class=MsoNormal><span lang=EN-US>", "<o:p></o:p></span></p>"),
    "<p class=MsoNormal><o:p>&nbsp;</o:p></p>",
    word_opens,
    ("<p class=MsoPlainText>", "<o:p></o:p></p>"),
    "",
    "<o:p></o:p></p>\n<p class=MsoPlainText>",
)
OWA_HTML = Html(
    (OWA_HEAD, "</body>\n</html>\n"),
    ('<div class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;">\n', "</div>"),
    '<div class="elementToProof">\n<br>\n</div>',
    owa_opens,
    ('<div class="PlainText">', "</div>"),
    "</span></font></div>\n",
)
APPLE_HTML = Html(
    (APPLE_HEAD, "</body></html>"),
    DIV,
    EMPTY,
    lambda draft: (
        f'<div><br><blockquote type="cite"><div>{intro_of("apple")(draft)}</div>'
        '<br class="Apple-interchange-newline"></blockquote></div>'
    ),
    ('<blockquote type="cite"><div><div>', "</div></div></blockquote>"),
    "",
)
IOS_HTML = Html(
    ('<html><head></head><body dir="auto">', "</body></html>"),
    ('<div dir="ltr">', "</div>"),
    '<div dir="ltr"><br></div>',
    lambda draft: f'<div dir="ltr"><br><blockquote type="cite">{intro_of("apple")(draft)}<br><br></blockquote></div>',
    ('<blockquote type="cite"><div dir="ltr">\ufeff<span>', "</span></div></blockquote>"),
    "",
    "</span><br><span>",
)
MOZ_HTML = Html(
    (MOZ_HEAD, "  </body>\n</html>\n"),
    ("    <p>", "</p>"),
    "    <p><br>\n    </p>",
    lambda draft: f'    <div class="moz-cite-prefix">{intro_of("thunderbird")(draft)}<br>\n    </div>\n',
    (
        '    <blockquote type="cite" cite="mid:x@localhost">\n      <pre wrap="" class="moz-quote-pre">',
        "</pre>\n    </blockquote>\n",
    ),
    "",
    "\n",
)
K9_HTML = Html(
    ('<!DOCTYPE html><html><body><div dir="auto">', "</body></html>"),
    ("", "<br>"),
    "<br>",
    lambda draft: f'</div><br><br><div class="gmail_quote"><div dir="auto">{intro_of("k9")(draft)}</div>',
    (
        f'<blockquote class="gmail_quote" style="{K9_QUOTE}">\n<pre class="k9mail"><div dir="auto">',
        "</div></pre></blockquote>",
    ),
    "</div>",
    "<br>\n",
)
YAHOO_HTML = Html(
    ('<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap">', "</body></html>"),
    ('<div dir="ltr" data-setdir="false">', "</div>"),
    '<div dir="ltr" data-setdir="false"><br></div>',
    lambda draft: (
        '</div><div id="yahoo_quoted_4711" class="yahoo_quoted"><div>\n            <div>\n'
        f"                {intro_of('yahoo')(draft)}\n            </div>\n            <div><br></div>\n            <div><br></div>"
    ),
    ('<div><div dir="ltr">', "</div></div>"),
    "</div></div>",
)
PROTON_HTML = Html(
    ("", ""),
    ('<div style="font-family: Arial, sans-serif; font-size: 14px;">', "</div>"),
    '<div style="font-family: Arial, sans-serif; font-size: 14px;"><br></div>',
    lambda draft: f'<div class="protonmail_quote">\n        {intro_of("protonmail")(draft)}<br>\n',
    ('        <blockquote class="protonmail_quote" type="cite">\n            ', "\n        </blockquote>"),
    "<br>\n    </div>",
)

SAMSUNG_HTML = Html(
    ('<html><head></head><body dir="auto">', "</body></html>"),
    ('<div dir="auto">', "</div>"),
    '<div dir="auto"><br></div>',
    lambda draft: (
        '<div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>'
        f"---{draft.language.original}---</div><div>"
        + "</div><div>".join(labelled(draft, bold=True))
        + "</div><div><br></div>"
    ),
    ("<div>", "</div>"),
    "</div>",
)
GMX_HTML = Html(
    ('<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">', "</div></body></html>"),
    DIV,
    "<div>&nbsp;</div>",
    lambda draft: (
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid '
        '#C3D9E5; word-wrap: break-word;"><div style="margin:0 0 10px 0;">'
        + "<br/>\n".join(labelled(draft, bold=True))
        + '</div><div name="quoted-content">'
    ),
    ("", ""),
    "</div></div>",
)
MAIL_RU_HTML = Html(
    ("<html><body>", "</body></html>"),
    DIV,
    "<div>&nbsp;</div>",
    lambda _: "<br><br>",
    ('<blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px;">', "</blockquote>"),
    "",
)
QQ_HTML = Html(
    ('<meta http-equiv="Content-Type" content="text/html; charset=GB18030">', ""),
    DIV,
    "<div><br></div>",
    lambda draft: (
        '<div><br></div><div style="font-size: 12px;padding:2px 0;">------------------&nbsp;原始邮件&nbsp;'
        '------------------</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div>'
        + "</div><div>".join(labelled(draft, bold=True))
        + "</div></div><div><br></div>"
    ),
    ("<div>", "</div>"),
    "",
)
