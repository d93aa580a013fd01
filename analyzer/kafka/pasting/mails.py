"""What mail programs write above the older mail that an answer goes on with, where they mark no line of it.

    From: Bob Miller <bob@example.org>                   -----Original Message-----
    Sent: Monday, February 2, 2026 3:54 AM               Von: Bob Miller
    To: Ann Smith <ann@example.org>                      Gesendet: Montag, 2. Februar 2026 03:54
    Subject: consumer is stuck                           On Mon, Feb 2, 2026 at 3:54 AM Bob <bob@example.org> wrote:

What stands below is older, unless the dates of two such heads show that the lower one was written later.
"""

import datetime
import re

_FROM = re.compile(r"\*{0,2}(?:From|Von|De|Da|Van|Från|Fra|Od)\s?:\*{0,2}\s+\S.*", re.IGNORECASE)
_SENT = re.compile(
    r"\*{0,2}(?:Sent|Date|Gesendet|Datum|Envoyé|Date d'envoi|Enviado(?: el)?|Enviada em|Enviado em|Fecha|Inviato|Data"
    r"|Verzonden|Skickat|Sendt|Wysłano)\s?:\*{0,2}\s+\S.*",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\*{0,2}(?:To|An|À|A|Para|Aan|Till|Til|Do|Cc|Kopie|Subject|Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|Ämne"
    r"|Emne|Temat|Importance|Wichtigkeit|Reply-To)\s?:\*{0,2}(?:\s.*)?",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"[-_ ]{4,40}(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht"
    r"|Message d'origine|Message original|Mensaje original|Mensagem original|Messaggio originale"
    r"|Oorspronkelijk bericht)[-_ ]{0,40}"
    r"|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(?:On|Am|Le|El|Il|Op)\s.{6,300}\b(?:wrote|schrieb(?: .{1,200})?|a écrit|escribió|ha scritto"
    r"|schreef(?: .{1,200})?)\s?:",
    re.IGNORECASE,
)
_HEAD_LINES = 8
"""So many lines a head has at most."""
_YEAR = re.compile(r"\b(20\d\d)\b")
_ISO = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_DOTTED = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(20\d\d)\b")
_DAY = re.compile(r"\b(\d{1,2})\b(?![:.]\d)")
_TIME = re.compile(r"\b(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?([AaPp])\.?[Mm])?")
_WORD = re.compile(r"[^\W\d_]{3,}")
_MONTHS = (
    "jan|ene|gen", "feb|fév|fev", "mar|mär|mrz|maa", "apr|avr|abr", "may|mai|mag|mei", "jun|juin|giu", "jul|juil|lug",
    "aug|aoû|ago", "sep|set", "oct|okt|out|ott", "nov", "dec|dez|déc|dic",
)  # fmt: skip
_TUESDAY = re.compile(r"mardi|martes|marted")
"""It begins as March does."""
_ZONE = re.compile(r"(?<=[\d ])([+-])(\d\d):?(\d\d)\b")


class Mails:
    """How much older than the first lines of a text what stands at the cursor is, in mails."""

    def __init__(self) -> None:
        """Begin in the mail on top."""
        self.older = 0
        """By how many mails; below 0 where they stand in the order in which they were written."""
        self._from = self._marked = -_HEAD_LINES - 1
        self._in_head = False
        self._written: datetime.datetime | None = None

    def take(self, text: str, number: int) -> bool:
        """Take a line, without marks of quoting, and return whether it is part of a mail's head."""
        line = text.strip()
        if _FROM.fullmatch(line):
            self._from, self._in_head = number, False
            return True
        near = number - self._from <= _HEAD_LINES
        if near and _SENT.fullmatch(line) and not self._in_head:
            self._in_head = True
            self._go_on(line, marked=self._from - self._marked <= _HEAD_LINES)
            return True
        if _MARK.fullmatch(line):
            self._marked = number
            self.older += 1
            return True
        if _WROTE.fullmatch(line):
            self._go_on(line)
            return True
        return near and _OTHER.fullmatch(line) is not None

    def _go_on(self, line: str, *, marked: bool = False) -> None:
        """Go on in the mail of which this line tells when it was written; `marked` where a mark counted it already."""
        written = moment_of(line)
        later = written is not None and self._written is not None and written > self._written
        self.older += (-1 if later else 1) - marked
        self._written = written or self._written


def moment_of(text: str) -> datetime.datetime | None:
    """Return when a mail was written, where it tells no zone as in UTC; None where it cannot be told: 2/3/2026."""
    date, time = _date(text), _TIME.search(text)
    if date is None or time is None:
        return None
    hour = int(time[1])
    if half := time[4]:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    try:
        written = datetime.datetime(*date, hour, int(time[2]), int(time[3] or 0), tzinfo=datetime.UTC)
    except ValueError:
        return None
    zone = _ZONE.search(text, time.end())
    if zone is None:
        return written
    ahead = datetime.timedelta(hours=int(zone[2]), minutes=int(zone[3]))
    return written + ahead if zone[1] == "-" else written - ahead


def _date(text: str) -> tuple[int, int, int] | None:
    if iso := _ISO.search(text):
        return int(iso[1]), int(iso[2]), int(iso[3])
    if dotted := _DOTTED.search(text):
        return int(dotted[3]), int(dotted[2]), int(dotted[1])
    year, day = _YEAR.search(text), _DAY.search(text)
    words = [word.lower() for word in _WORD.findall(text)]
    months = [
        number
        for word in words
        if not _TUESDAY.match(word)
        for number, beginning in enumerate(_MONTHS, 1)
        if re.match(beginning, word)
    ]
    return (int(year[1]), months[0], int(day[1])) if year and day and len(months) == 1 else None
