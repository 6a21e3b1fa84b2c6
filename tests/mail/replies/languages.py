"""What mail programs and people write in each language: introductions of quotations, labels, greetings, signatures.

Every mail of ours is of Saturday, 21 November 2026, 10:00 UTC; the times are local ones. `{who}` is our name with
the address in angle brackets.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

WHO = "tkid <tkid@localhost>"


@frozen
class Language:
    """A language: the offset of its clocks, the name of its player, and its texts.

    `labels` are Outlook's From, Sent, To, Subject and the date behind Sent; `intros` introduce a quotation, by program;
    `remarks` stand above an order, `closings` below; `sent_from` are signatures, by program; `prefixes` stand
    before the subject of a reply (Outlook's own) and of a forwarded mail.
    """

    offset: str
    person: str
    labels: tuple[str, str, str, str, str]
    original: str
    forwarded: str
    prefixes: tuple[str, str]
    intros: Mapping[str, str]
    remarks: tuple[str, ...]
    closings: tuple[str, ...]
    sent_from: Mapping[str, str]

    def intro(self, client: str) -> str:
        """What introduces a quotation."""
        return self.intros[client].format(who=WHO)


LANGUAGES: dict[str, Language] = {
    "en": Language(
        "+0000",
        "Ann Miller",
        ("From:", "Sent:", "To:", "Subject:", "Saturday, November 21, 2026 10:00 AM"),
        "-----Original Message-----",
        "---------- Forwarded message ---------",
        ("RE: ", "FW: "),
        {
            "gmail": "On Sat, Nov 21, 2026 at 10:00 AM {who} wrote:",
            "gmail-app": "On Sat, 21 Nov 2026, 10:00 tkid, <tkid@localhost> wrote:",
            "apple": "On Nov 21, 2026, at 10:00\u202fAM, {who} wrote:",
            "thunderbird": "On 11/21/26 10:00 AM, tkid wrote:",
            "k9": "On 21 November 2026 10:00:00 GMT, {who} wrote:",
            "yahoo": "On Saturday, November 21, 2026 at 10:00:00 AM GMT, {who} wrote:",
            "protonmail": "On Saturday, November 21st, 2026 at 10:00 AM, {who} wrote:",
            "mutt": "On Sat, Nov 21, 2026 at 10:00:00AM +0000, tkid wrote:",
        },
        (
            "Hi all,",
            "Sorry for the delay – here’s my turn.",
            "That last move was nasty!",
            "I’d rather not, but…",
            "Here we go:",
        ),
        ("Cheers,", "Best,", "Thanks – have a good weekend!"),
        {
            "ios": "Sent from my iPhone",
            "k9": "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
            "protonmail": "Sent with [Proton Mail](https://proton.me/mail/home) secure email.",
            "yahoo": "Sent from Yahoo Mail for iPhone",
            "outlook": "Get Outlook for iOS<https://aka.ms/o0ukef>",
        },
    ),
    "de": Language(
        "+0100",
        "Ann Müller",
        ("Von:", "Gesendet:", "An:", "Betreff:", "Samstag, 21. November 2026 11:00"),
        "-----Ursprüngliche Nachricht-----",
        "---------- Forwarded message ---------",
        ("AW: ", "WG: "),
        {
            "gmail": "Am Sa., 21. Nov. 2026 um 11:00 Uhr schrieb {who}:",
            "gmail-app": "{who} schrieb am Sa., 21. Nov. 2026, 11:00:",
            "apple": "Am 21.11.2026 um 11:00 schrieb {who}:",
            "thunderbird": "Am 21.11.26 um 11:00 schrieb tkid:",
            "k9": "Am 21. November 2026 11:00:00 MEZ schrieb {who}:",
            "yahoo": "Am Samstag, 21. November 2026 um 11:00:00 MEZ hat {who} Folgendes geschrieben:",
            "protonmail": "{who} schrieb am Samstag, 21. November 2026 um 11:00:",
            "mutt": "Am Sa, 21. Nov 2026 um 10:00:00 +0000 schrieb tkid:",
        },
        (
            "Hallo zusammen,",
            "schöne Grüße aus Köln, hier mein Zug:",
            "das war knapp … na gut:",
            "Am Ende gewinnt doch wieder England.",
            "Ich würde lieber warten, aber nun ja.",
        ),
        ("Viele Grüße", "Liebe Grüße,", "Bis später und schönes Wochenende!"),
        {
            "ios": "Von meinem iPhone gesendet",
            "k9": "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
            "protonmail": "Gesendet mit [Proton Mail](https://proton.me/mail/home) – sichere E-Mail.",
            "yahoo": "Von Yahoo Mail auf Android gesendet",
            "outlook": "Holen Sie sich Outlook für iOS<https://aka.ms/o0ukef>",
        },
    ),
    "fr": Language(
        "+0100",
        "Ann Lefèvre",
        ("De :", "Envoyé :", "À :", "Objet :", "samedi 21 novembre 2026 11:00"),
        "-----Message d'origine-----",
        "---------- Forwarded message ---------",
        ("RE: ", "TR: "),
        {
            "gmail": "Le sam. 21 nov. 2026 à 11:00, {who} a écrit :",
            "gmail-app": "Le sam. 21 nov. 2026, 11:00, {who} a écrit :",
            "apple": "Le 21 nov. 2026 à 11:00, {who} a écrit :",
            "thunderbird": "Le 21/11/2026 à 11:00, tkid a écrit :",
            "k9": "Le 21 novembre 2026 11:00:00 GMT+01:00, {who} a écrit :",
            "yahoo": "Le samedi 21 novembre 2026 à 11:00:00 UTC+1, {who} a écrit :",
            "protonmail": "Le samedi 21 novembre 2026 à 11:00, {who} a écrit :",
            "mutt": "Le Sat, Nov 21, 2026 at 10:00:00AM +0000, tkid a écrit :",
        },
        (
            "Bonjour à tous,",
            "Désolée pour le retard !",
            "Voilà mon tour, j’espère que ça ira :",
            "Les Écossais sont encore là…",
            "Mais où sont passés les Gallois ?",
            "A demain à tous, et voici mon tour :",
        ),
        ("Amicalement,", "À bientôt,", "Bonne soirée à tous !"),
        {
            "ios": "Envoyé de mon iPhone",
            "k9": "Envoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.",
            "protonmail": "Envoyé avec la messagerie sécurisée [Proton Mail](https://proton.me/mail/home).",
            "yahoo": "Envoyé à partir de Yahoo Mail pour iPhone",
            "outlook": "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
        },
    ),
    "es": Language(
        "+0100",
        "Ann Muñoz",
        ("De:", "Enviado:", "Para:", "Asunto:", "sábado, 21 de noviembre de 2026 11:00"),
        "-----Mensaje original-----",
        "---------- Forwarded message ---------",
        ("RE: ", "RV: "),
        {
            "gmail": "El sáb, 21 nov 2026 a las 11:00, tkid (<tkid@localhost>) escribió:",
            "gmail-app": "El sáb., 21 nov. 2026 11:00, {who} escribió:",
            "apple": "El 21 nov 2026, a las 11:00, {who} escribió:",
            "thunderbird": "El 21/11/26 a las 11:00, tkid escribió:",
            "k9": "El 21 de noviembre de 2026 11:00:00 CET, {who} escribió:",
            "yahoo": "En sábado, 21 de noviembre de 2026, 11:00:00 CET, {who} escribió:",
            "protonmail": "El sábado, 21 de noviembre de 2026 a las 11:00, {who} escribió:",
            "mutt": "El sáb, 21 de nov de 2026 a las 10:00:00 +0000, tkid escribió:",
        },
        (
            "¡Hola a todos!",
            "Perdón por la tardanza, ahí va:",
            "¿Otra vez los ingleses? Qué mañana…",
            "A ver si esto funciona.",
            "En fin, no hay más remedio.",
        ),
        ("Un saludo,", "¡Hasta mañana!", "Abrazos"),
        {
            "ios": "Enviado desde mi iPhone",
            "k9": "Enviado desde mi dispositivo Android con K-9 Mail. Por favor, disculpa mi brevedad.",
            "protonmail": "Enviado con el correo electrónico seguro de [Proton Mail](https://proton.me/mail/home).",
            "yahoo": "Enviado desde Yahoo Mail con Android",
            "outlook": "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
        },
    ),
    "it": Language(
        "+0100",
        "Ann Però",
        ("Da:", "Inviato:", "A:", "Oggetto:", "sabato 21 novembre 2026 11:00"),
        "-----Messaggio originale-----",
        "---------- Forwarded message ---------",
        ("R: ", "I: "),
        {
            "gmail": "Il giorno sab 21 nov 2026 alle ore 11:00 {who} ha scritto:",
            "gmail-app": "Il sab 21 nov 2026, 11:00 {who} ha scritto:",
            "apple": "Il giorno 21 nov 2026, alle ore 11:00, {who} ha scritto:",
            "thunderbird": "Il 21/11/26 11:00, tkid ha scritto:",
            "k9": "Il 21 novembre 2026 11:00:00 CET, {who} ha scritto:",
            "yahoo": "Il sabato 21 novembre 2026 alle ore 11:00:00 CET, {who} ha scritto:",
            "protonmail": "Il sabato 21 novembre 2026 alle 11:00, {who} ha scritto:",
            "mutt": "Il giorno sab, 21/11/2026 alle 10.00 +0000, tkid ha scritto:",
        },
        (
            "Ciao a tutti,",
            "scusate il ritardo, ecco la mia mossa:",
            "A questo punto non c’è più scelta…",
            "Così è più divertente, no?",
            "È il mio turno, finalmente!",
            "E questa è la mia mossa:",
        ),
        ("A presto,", "Un caro saluto", "Buona serata e a lunedì!"),
        {
            "ios": "Inviato da iPhone",
            "k9": "Inviato dal mio dispositivo Android con K-9 Mail. Perdonate la brevità.",
            "protonmail": "Inviato con l'email sicura [Proton Mail](https://proton.me/mail/home).",
            "yahoo": "Inviato da Yahoo Mail per iPhone",
            "outlook": "Ottieni Outlook per iOS<https://aka.ms/o0ukef>",
        },
    ),
    "nl": Language(
        "+0100",
        "Ann de Groot",
        ("Van:", "Verzonden:", "Aan:", "Onderwerp:", "zaterdag 21 november 2026 11:00"),
        "-----Oorspronkelijk bericht-----",
        "---------- Forwarded message ---------",
        ("RE: ", "FW: "),
        {
            "gmail": "Op za 21 nov 2026 om 11:00 schreef {who}:",
            "gmail-app": "Op za 21 nov. 2026 11:00 schreef {who}:",
            "apple": "Op 21 nov 2026, om 11:00 heeft {who} het volgende geschreven:",
            "thunderbird": "Op 21-11-2026 om 11:00 schreef tkid:",
            "k9": "Op 21 november 2026 11:00:00 CET schreef {who}:",
            "yahoo": "Op zaterdag 21 november 2026 om 11:00:00 CET schreef {who}:",
            "protonmail": "Op zaterdag 21 november 2026 om 11:00 schreef {who}:",
            "mutt": "Op za 21 nov 2026 om 10:00:00 +0000 schreef tkid:",
        },
        (
            "Hoi allemaal,",
            "Sorry dat ik zo laat ben, daar gaan we:",
            "Eén ding is zeker: Wales verliest.",
            "Mag ik nog even nadenken? Nee? Oké…",
            "Spannend hoor!",
        ),
        ("Groetjes,", "Met vriendelijke groet,", "Tot gauw – fijn weekend!"),
        {
            "ios": "Verstuurd vanaf mijn iPhone",
            "k9": "Verstuurd vanaf mijn Android apparaat met K-9 Mail. Excuseer mijn beknoptheid.",
            "protonmail": "Verzonden met [Proton Mail](https://proton.me/mail/home) beveiligde e-mail.",
            "yahoo": "Verzonden vanuit Yahoo Mail voor iPhone",
            "outlook": "Outlook voor iOS downloaden<https://aka.ms/o0ukef>",
        },
    ),
    "pl": Language(
        "+0100",
        "Anna Wójcik",
        ("Od:", "Wysłano:", "Do:", "Temat:", "sobota, 21 listopada 2026 11:00"),
        "-----Wiadomość oryginalna-----",
        "---------- Forwarded message ---------",
        ("Odp: ", "PD: "),
        {
            "gmail": "sob., 21 lis 2026 o 11:00 {who} napisał(a):",
            "gmail-app": "sob., 21 lis 2026, 11:00 użytkownik {who} napisał:",
            "apple": "Wiadomość napisana przez {who} w dniu 21 lis 2026, o godz. 11:00:",
            "thunderbird": "W dniu 21.11.2026 o 11:00, tkid pisze:",
            "k9": "Dnia 21 listopada 2026 11:00:00 CET, {who} napisał/a:",
            "yahoo": "W dniu sobota, 21 listopada 2026 11:00:00 CET użytkownik {who} napisał:",
            "protonmail": "W dniu sobota, 21 listopada 2026 o 11:00 {who} napisał(a):",
            "mutt": "Dnia Sat, Nov 21, 2026 at 10:00:00AM +0000, tkid napisał(a):",
        },
        (
            "Cześć wszystkim,",
            "przepraszam za spóźnienie, oto mój ruch:",
            "No to jedziemy…",
            "A miało być tak pięknie.",
            "Święta racja, źle to wygląda.",
        ),
        ("Pozdrawiam,", "Pa!", "Miłego weekendu życzę"),
        {
            "ios": "Wysłane z iPhone’a",
            "k9": "Wysłane z urządzenia Android za pomocą aplikacji K-9 Mail. Przepraszam za zwięzłość.",
            "protonmail": "Wysłano z bezpiecznej poczty [Proton Mail](https://proton.me/mail/home).",
            "yahoo": "Wysłane z aplikacji Yahoo Mail na Androidzie",
            "outlook": "Pobierz aplikację Outlook dla systemu iOS<https://aka.ms/o0ukef>",
        },
    ),
    "ru": Language(
        "+0300",
        "Анна Иванова",
        ("От:", "Отправлено:", "Кому:", "Тема:", "21 ноября 2026 г. 13:00"),
        "-----Исходное сообщение-----",
        "---------- Forwarded message ---------",
        ("Ответ: ", "Пересл: "),
        {
            "gmail": "сб, 21 нояб. 2026 г. в 13:00, {who}:",
            "gmail-app": "сб, 21 нояб. 2026 г., 13:00 {who}:",
            "apple": "21 нояб. 2026 г., в 13:00, {who} написал(а):",
            "thunderbird": "21.11.2026 13:00, tkid пишет:",
            "k9": "21 ноября 2026 г. 13:00:00 GMT+03:00, {who} пишет:",
            "yahoo": "суббота, 21 ноября 2026 г., 13:00:00 GMT+3, {who} написал(-а):",
            "protonmail": "суббота, 21 ноября 2026 г. в 13:00, {who} пишет:",
            "mutt": "On Сб, ноя 21, 2026 at 10:00:00 +0000, tkid wrote:",
        },
        (
            "Всем привет!",
            "Извините за задержку, мой ход:",
            "Опять шотландцы…",
            "Ну, поехали.",
            "А что ещё остаётся?",
        ),
        ("С уважением,", "До встречи!", "Хороших выходных"),
        {
            "ios": "Отправлено с iPhone",
            "k9": "Простите за краткость, создано в K-9 Mail.",
            "protonmail": "Отправлено с помощью защищённой почты [Proton Mail](https://proton.me/mail/home).",
            "yahoo": "Отправлено из Yahoo Почты на Android",
            "outlook": "Скачать Outlook для iOS<https://aka.ms/o0ukef>",
        },
    ),
    "ja": Language(
        "+0900",
        "田中 杏",
        ("差出人:", "送信日時:", "宛先:", "件名:", "2026年11月21日 19:00"),
        "-----Original Message-----",
        "---------- Forwarded message ---------",
        ("RE: ", "FW: "),
        {
            "gmail": "2026年11月21日(土) 19:00 {who}:",
            "gmail-app": "2026年11月21日(土) 19:00 {who}:",
            "apple": "2026/11/21 19:00、{who}のメール:",
            "thunderbird": "On 2026/11/21 19:00, tkid wrote:",
            "k9": "2026年11月21日 19:00:00 JST、{who} のメール:",
            "yahoo": "2026年11月21日土曜日 19:00:00 JST、{who} さんは書きました：",
            "protonmail": "2026年11月21日土曜日 19:00に、{who} さんは書きました：",
            "mutt": "On 2026年11月21日, tkid wrote:",
        },
        (
            "皆さん、こんばんは。",
            "遅くなってすみません。次の手です。",
            "これはなかなか難しいですね…",
            "イングランドが強すぎます！",
            "よろしくお願いします。",
        ),
        ("よろしくお願いいたします。", "ではまた。", "田中"),
        {
            "ios": "iPhoneから送信",
            "k9": "Android端末からK-9 Mailで送信しました。",
            "protonmail": "[Proton Mail](https://proton.me/mail/home) セキュアメールで送信されました。",
            "yahoo": "iPhone版Yahooメールから送信",
            "outlook": "Outlook for iOS を入手<https://aka.ms/o0ukef>",
        },
    ),
    "zh": Language(
        "+0800",
        "李安",
        ("发件人:", "发送时间:", "收件人:", "主题:", "2026年11月21日 18:00"),
        "-----邮件原件-----",
        "---------- Forwarded message ---------",
        ("答复: ", "转发: "),
        {
            "gmail": "{who} 于2026年11月21日周六 18:00写道：",
            "gmail-app": "{who} 于 2026年11月21日周六 18:00写道：",
            "apple": "2026年11月21日 18:00，{who} 写道：",
            "thunderbird": "在 2026/11/21 18:00, tkid 写道:",
            "k9": "于 2026年11月21日 GMT+08:00 18:00:00, {who} 写道：",
            "yahoo": "在 2026年11月21日星期六 GMT+8 18:00:00，{who} 写道：",
            "protonmail": "在 2026年11月21日星期六 18:00，{who} 写道：",
            "mutt": "On Sat, Nov 21, 2026 at 10:00:00AM +0000, tkid wrote:",
        },
        (
            "大家好，",
            "不好意思，来晚了。我的回合如下：",
            "苏格兰人又来了……",
            "这一步很难选。",
            "祝大家玩得开心！",
        ),
        ("谢谢！", "此致", "周末愉快"),
        {
            "ios": "发自我的iPhone",
            "k9": "使用 K-9 Mail 发送自我的Android设备",
            "protonmail": "使用 [Proton Mail](https://proton.me/mail/home) 安全邮箱发送。",
            "yahoo": "从 Yahoo Mail 的 iPhone 版发送",
            "outlook": "获取 Outlook for iOS<https://aka.ms/o0ukef>",
        },
    ),
    "tw": Language(
        "+0800",
        "陳安",
        ("寄件者:", "寄件日期:", "收件者:", "主旨:", "2026年11月21日 下午 06:00"),
        "-----Original Message-----",
        "---------- Forwarded message ---------",
        ("回覆: ", "轉寄: "),
        {
            "gmail": "{who} 於 2026年11月21日 週六 下午6:00寫道：",
            "gmail-app": "{who} 於 2026年11月21日 週六 18:00 寫道：",
            "apple": "{who} 於 2026年11月21日 下午6:00 寫道：",
            "thunderbird": "tkid 於 2026/11/21 下午 06:00 寫道:",
            "k9": "於 2026年11月21日 GMT+08:00 下午6:00:00, {who} 寫道：",
            "yahoo": "{who} 於 2026年11月21日 星期六 下午06:00:00 [GMT+8] 寫道：",
            "protonmail": "在 2026年11月21日 星期六 下午 6:00，{who} 寫道：",
            "mutt": "On Sat, Nov 21, 2026 at 10:00:00AM +0000, tkid wrote:",
        },
        ("各位好，", "抱歉回覆晚了，這是我的回合：", "這一步好難……"),
        ("謝謝！", "祝好", "週末愉快"),
        {
            "ios": "從我的 iPhone 傳送",
            "k9": "從我的 Android 裝置使用 K-9 Mail 傳送。",
            "protonmail": "使用 [Proton Mail](https://proton.me/mail/home) 安全郵件傳送。",
            "yahoo": "從 iPhone 版 Yahoo 奇摩電子信箱傳送",
            "outlook": "取得 iOS 版 Outlook<https://aka.ms/o0ukef>",
        },
    ),
}
"""By code; `tw` is Chinese as written in Taiwan."""
