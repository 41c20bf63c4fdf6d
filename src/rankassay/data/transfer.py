"""Downloading one file: it is streamed, resumed and checked before it gets its name.

A server is not trusted: it may stop, trickle, send too much, something else, or another version of
the file than a moment ago. Whatever it does ends within limits, with the reason in one line.
"""

import itertools
import logging
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import requests
import urllib3

from rankassay.artifacts import files

log = logging.getLogger(__name__)

CHUNK = 1 << 16
PROGRESS_SECONDS = 10.0
# What another try cannot mend.
LASTING = (ValueError, requests.exceptions.SSLError, requests.exceptions.TooManyRedirects)
PAGE = "the server sent an HTML page instead of the data"
PAGES = (b"<!--", b"<!doctype", b"<?xml", b"<html", b"<head", b"<body", b"<title", b"<script")
BEFORE_TEXT = b" \t\r\n\f\xef\xbb\xbf\xff\xfe"  # white space, and the marks of UTF-8 and UTF-16


@dataclass(frozen=True)
class Settings:
    """The patience and the limits of a download."""

    # Seconds to wait for a connection, and for the next bytes.
    timeout: tuple[float, float] = (10.0, 60.0)
    tries: int = 3  # of one URL, if the failure may pass (no connection, time-out, 429, 5xx)
    backoff: float = 1.0  # seconds before the second try; doubled before each further one
    # Bytes a second; a transfer that brings fewer over `patience` seconds stops.
    slowest: float = 1000.0
    patience: float = 60.0
    # Bytes of a file; a longer one is refused before it fills the disk.
    largest: int = 8_000_000_000


class Failed(Exception):
    """The reason why one URL did not deliver; `passing` if another try may succeed."""

    def __init__(self, reason: str, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


def download(url: str, target: Path, checksum: str | None, settings: Settings) -> None:
    """Download `url` to `target`; raises Failed with the reason of the last try.

    Until the file is whole and checked, its bytes are in `<target>.part`. The checksum,
    "md5:<digits>" or "sha256:<digits>", is that of the whole file; None when it is not known.
    """
    part = Part(target.with_name(target.name + ".part"))
    target.parent.mkdir(parents=True, exist_ok=True)
    if checksum is None or part.path.is_symlink() or not part.path.is_file():
        # Without a checksum nothing would show that the old bytes came from another file; and what
        # a link or a pipe leads to is none of this program's.
        part.path.unlink(missing_ok=True)
    for attempt in range(1, settings.tries + 1):
        try:
            _transfer(url, part, settings)
            _check(part, checksum)
            break
        except Failed as failure:
            if not failure.passing or attempt == settings.tries:
                raise
            if checksum is None and part.validator is None:
                # A file that has changed meanwhile could not be distinguished from the rest of this
                # one.
                part.discard(str(failure), passing=True)
            pause = settings.backoff * 2 ** (attempt - 1)
            log.info("%s: %s; trying again in %g s", url, failure, pause)
            time.sleep(pause)
    os.replace(part.path, target)


class Part:
    """The part of a file that has arrived, and the version that the server says it belongs to."""

    def __init__(self, path: Path) -> None:
        self.path = path  # with the bytes; those of an earlier run may be there already
        # The ETag or else the time of the last change, by which a server distinguishes versions.
        self.validator: str | None = None
        self.total: int | None = None  # how long the server says the whole file is
        self.resumed = False  # whether the bytes come from more than one response

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self.path.stat().st_size if self.path.exists() else 0

    def discard(self, reason: str, passing: bool) -> Failed:
        """Delete the bytes, and return the failure with the reason."""
        self.path.unlink(missing_ok=True)
        self.validator, self.total, self.resumed = None, None, False
        return Failed(reason, passing)


def _check(part: Part, checksum: str | None) -> None:
    """Check a finished download: the file is deleted if it is a page, or has another checksum."""
    with open(part.path, "rb") as file:
        if _is_page(file.read(CHUNK)):
            raise part.discard(PAGE, passing=False)
    if checksum is None:
        return
    algorithm, _, expected = checksum.partition(":")
    found = files.checksum(part.path, algorithm)
    if found != expected.lower():
        reason = f"wrong checksum: expected {algorithm} {expected}, found {found}"
        # Bytes of two responses may be of two versions; the whole file at once may be right.
        raise part.discard(reason, passing=part.resumed)


def _transfer(url: str, part: Part, settings: Settings) -> None:
    """Bring `part` to its full length; a failure keeps the bytes that have arrived."""
    start = part.size
    # "identity": a length and a range count the bytes of the file itself, not of a packed copy.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        part.resumed = True
        if part.validator:
            # A server whose file has changed then sends the whole new one.
            headers["If-Range"] = part.validator
    try:
        with requests.get(url, headers=headers, stream=True, timeout=settings.timeout) as response:
            _check_redirects(response)
            if response.status_code == 416 and start:
                # What is there is all there is, or belongs to another version of the file.
                said = response.headers.get("Content-Range") == f"bytes */{start}"
                if said and part.total in (None, start):
                    return
                raise part.discard("the rest of a partial download was refused", passing=True)
            if response.status_code not in (200, 206):
                passing = response.status_code == 429 or response.status_code >= 500
                raise Failed(f"HTTP status {response.status_code} {response.reason}", passing)
            _receive(response, part, start, settings)
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError) as error:
        raise Failed(_reason(error), passing=not isinstance(error, LASTING)) from error


def _check_redirects(response: requests.Response) -> None:
    """Raise Failed for a redirect from https to http, on whose way anyone may change the file."""
    urls = [hop.url for hop in (*response.history, response)]
    for before, after in itertools.pairwise(urls):
        if before.startswith("https:") and not after.startswith("https:"):
            raise Failed(f"it redirects from https to {after}, which nothing protects")


def _receive(response: requests.Response, part: Part, start: int, settings: Settings) -> None:
    """Write the body of a response behind the first `start` bytes of `part`."""
    _check_codings(response, part.path)
    continued = response.status_code == 206
    length, whole = _length(response), None
    if continued:
        first, whole = _range(response)
        if first != start or whole is None:
            reason = "the server sent another part than asked for, or of a file of unknown length"
            raise part.discard(reason, passing=bool(start))
    validator = _validator(response)
    if continued and part.validator != validator and part.validator is not None:
        raise part.discard("the file changed on the server meanwhile", passing=True)
    if continued and part.total not in (None, whole):
        raise part.discard("the file has another length than a moment ago", passing=True)
    part.validator, part.resumed = validator, continued and start > 0
    part.total = whole if continued else length
    watch = _Watch(response.url, start if continued else 0, part.total, settings)
    free = shutil.disk_usage(part.path.parent).free
    if (length or 0) > free:
        raise Failed(f"{length / 1e6:.1f} MB are needed, {free / 1e6:.1f} MB are free")
    chunk = _read(response)
    if not continued and _is_page(chunk):
        raise Failed(PAGE)  # before it replaces the existing file
    with open(part.path, "ab" if continued else "wb", opener=_no_link) as file:
        while chunk:
            file.write(chunk)
            # Checked when the bytes are in the file, so that the next try goes on behind them.
            watch.count(len(chunk))
            chunk = _read(response)
        file.flush()
        os.fsync(file.fileno())
    watch.finish()


def _no_link(path: str, flags: int) -> int:
    """Open a file that is no link; one that was put there meanwhile is an error."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _read(response: requests.Response) -> bytes:
    """Return the next raw bytes as soon as there are some: a file.gz must arrive as it is."""
    return response.raw.read1(CHUNK, decode_content=False)


def _check_codings(response: requests.Response, path: Path) -> None:
    """Raise Failed for a body that the server packed, but for a file.gz, which it is itself."""
    packed = set()
    for header, plain in (("Content-Encoding", "identity"), ("Transfer-Encoding", "chunked")):
        said = response.headers.get(header, "").lower().split(",")
        packed |= {coding.strip() for coding in said} - {"", plain}
    if Path(path.stem).suffix in (".gz", ".tgz"):
        packed -= {"gzip", "x-gzip"}
    if packed:
        named = ", ".join(sorted(packed))[:40]
        raise Failed(f"expected the file as it is, found it packed by the server ({named})")


def _validator(response: requests.Response) -> str | None:
    """Return the header that identifies the version of a file; a weak ETag does not."""
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified")


def _length(response: requests.Response) -> int | None:
    """Return the bytes that a response announces, or None; raises Failed for no number."""
    length = response.headers.get("Content-Length")
    if length is None:
        return None
    said = {part.strip() for part in length.split(",")}  # a header may be repeated
    if len(said) > 1 or not re.fullmatch("[0-9]{1,19}", min(said)):
        raise Failed(f"expected a Content-Length that is a number, found '{length[:40]}'")
    return int(min(said))


def _range(response: requests.Response) -> tuple[int | None, int | None]:
    """Return where the part in a response begins, and how long the file is; None if not said."""
    said = response.headers.get("Content-Range", "")
    found = re.fullmatch("bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})", said)
    if found is None:
        return None, None
    first, last, whole = map(int, found.groups())
    return (first, whole) if first <= last < whole else (None, None)


class _Watch:
    """Counts the bytes of a transfer; raises Failed when it is too long, too slow or cut."""

    def __init__(self, url: str, start: int, total: int | None, settings: Settings) -> None:
        self.url, self.done, self.settings, self.total = url, start, settings, total
        self.since = self.shown = time.monotonic()
        self.recent = 0
        self._check_size(self.total or 0)

    def count(self, arrived: int) -> None:
        """Take note of bytes that have arrived."""
        now = time.monotonic()
        self.done += arrived
        self.recent += arrived
        self._check_size(self.done)
        if now - self.since >= self.settings.patience:
            rate = self.recent / (now - self.since)
            if rate < self.settings.slowest:
                raise Failed(
                    f"only {rate:.0f} bytes a second over {now - self.since:.0f} s, with "
                    f"{_progress(self.done, self.total)} there",
                    passing=True,
                )
            self.since, self.recent = now, 0
        if now - self.shown >= PROGRESS_SECONDS:
            self.shown = now
            log.info("%s: %s", self.url, _progress(self.done, self.total))

    def finish(self) -> None:
        """Raise Failed if a transfer that has ended is not whole."""
        if self.done == 0 or (self.total is not None and self.done != self.total):
            reason = f"the transfer stopped after {_progress(self.done, self.total)}"
            raise Failed(reason, passing=True)

    def _check_size(self, size: int) -> None:
        if size > self.settings.largest:
            raise Failed(f"more than the {self.settings.largest / 1e6:.1f} MB that a file may have")


def _is_page(start: bytes) -> bool:
    """Whether a file begins as a web page or XML, as error and login pages with status 200."""
    head = start[:1024].replace(b"\0", b"").lstrip(BEFORE_TEXT).lower()
    return head.startswith(PAGES)


def _progress(done: int, total: int | None) -> str:
    """Return for instance "12.0 of 63.1 MB"."""
    whole = f" of {total / 1e6:.1f}" if total is not None else ""
    return f"{done / 1e6:.1f}{whole} MB"


def _reason(error: Exception) -> str:
    """Return the innermost cause, without the layers that requests wraps around it."""
    inner: object = error
    while True:
        arguments = getattr(inner, "args", ())
        cause = getattr(inner, "reason", None) or (arguments[0] if arguments else None)
        if not isinstance(cause, Exception):
            return f"{type(error).__name__}: {inner}"
        inner = cause
