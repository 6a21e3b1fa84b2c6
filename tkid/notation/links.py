"""Texts that mail programs turn into links: addresses of pages and of people, with or without `http://`.

Whether `Ann.Lee` becomes a link depends on the last part: programs know the top-level domains. The list has all of countries,
those that are common, and those of examples. What has a space after the dot is never a link.
"""

from __future__ import annotations

import re
import unicodedata

from tkid.notation.lookalikes import LETTERS

COUNTRIES = """
ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch ci
ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq
gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt
lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk
pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm
tn to tr tt tv tw tz ua ug uk um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
"""
COMMON = """
com net org info biz edu gov mil int name pro mobi tel asia cat coop aero museum jobs travel post arpa xxx onion example test invalid
localhost local internal app dev page xyz online site website web shop store club live top icu vip work works link click space tech
blog cloud fun email mail news world today one win bid game games chat zip mov support help login loan loans men wang social agency
company digital group network services service solutions systems zone center media studio photos photo pictures academy technology
finance bank money credit tax sale buzz bar rest cafe pub pizza beer wine art design love sex porn adult dating movie video tube stream
download software host hosting press party date trade trading webcam science review reviews faith cricket racing accountant accountants
country gdn kim red blue pink green black gold ink wiki wtf ninja rocks guru expert tips place land house city town london paris berlin
hamburg koeln cologne wien nyc tokyo amsterdam moscow istanbul eus scot wales cymru bayern swiss africa lat earth global international
market marketing business ventures capital holdings partners consulting legal law lawyer clinic dental doctor health care fit fitness
yoga run football golf tennis ski surf bike cars auto boats flights hotel holiday vacations tours tickets events fans band audio
graphics gallery fashion clothing shoes jewelry watch gifts toys kids baby family singles community foundation charity church bible
university college school education training courses study degree institute directory domains contact codes computer engineering
exchange forsale bargains cheap coupons discount deals express delivery direct supply supplies tools repair construction build builders
properties property estate realestate rent rentals apartments homes garden farm eco energy solar security report foo bot ooo monster
lol cool best quest mom makeup hair beauty skin diet vodka dog pet horse fish tattoo haus immo gmbh inc llc ltd srl
"""
OTHER_SCRIPTS = """
рф рус укр бел бг мкд срб қаз мон ею дети онлайн сайт орг ком москва ελ ευ გე հայ 中国 中國 公司 网络 网址 在线 中文网 香港 台湾 台灣 新加坡 澳门
澳門 商城 网店 移动 한국 닷컴 みんな コム ไทย भारत ভারত বাংলা ਭਾਰਤ இந்தியா இலங்கை ලංකා مصر السعودية امارات ایران الاردن المغرب تونس قطر شبكة موقع
"""
ENDINGS = frozenset((COUNTRIES + COMMON + OTHER_SCRIPTS).split())
"""The top-level domains, in small letters."""
DOTS = str.maketrans(dict.fromkeys("。．｡․﹒‧∙⋅ꓸ۔", "."))
"""Characters that browsers and mail programs read as the dot of a domain, or that look like it."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://\S*|\b(?:mailto|tel|sms):\S+|\bwww\d?\.\w\S*", re.IGNORECASE)
DOMAIN = re.compile(r"[\w-](?:[\w-]*\.)+(?P<ending>[^\W_][\w-]*)(?![\w-])")
"""Words with dots between them, as in a domain."""


def find_link(text: str) -> str:
    """Return the part of a text that a mail program turns into a link; "" where there is none."""
    seen = "".join(c for c in text.translate(DOTS) if unicodedata.category(c) != "Cf")
    plain = unicodedata.normalize("NFKC", seen).translate(LETTERS)
    for each in (unicodedata.normalize("NFKC", seen), plain):
        if (found := SCHEME.search(each)) is not None:
            return found[0]
        for domain in DOMAIN.finditer(each):
            ending = domain["ending"].casefold()
            if ending in ENDINGS or ending.startswith("xn--"):
                return domain[0]
    return ""
