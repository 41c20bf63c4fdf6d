"""Downloading one file: streamed, resumed, checked and only then given its name."""

import hashlib
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

import requests
import urllib3

log = logging.getLogger(__name__)

CHUNK = 1 << 16  # what has arrived of a chunk that stays incomplete is lost
PROGRESS_SECONDS = 10.0


@dataclass(frozen=True)
class Settings:
    """How patiently a download is tried.

    Attributes
    ----------
    timeout
        Seconds to wait for a connection, and for the next bytes.
    tries
        How often one URL is tried when the failure may pass (no connection, time-out, 429, 5xx).
    backoff
        Seconds before the second try; doubled before each further one.
    """

    timeout: tuple[float, float] = (10.0, 60.0)
    tries: int = 3
    backoff: float = 1.0


class Failed(Exception):
    """Why one URL did not deliver; `passing` when another try may succeed."""

    def __init__(self, reason: str, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


def digest(path: Path, algorithm: str = "sha256") -> str:
    """Return the checksum of a file in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def download(url: str, target: Path, checksum: str | None, settings: Settings) -> None:
    """Download `url` to `target`.

    Parameters
    ----------
    url
        Where to get the file.
    target
        The file to write; until it is whole and checked its bytes are in `<target>.part`.
    checksum
        "md5:<digits>" or "sha256:<digits>" of the whole file; None when it is not known.
    settings
        Time-outs and retries.

    Raises
    ------
    Failed
        With the reason of the last try.
    """
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    if checksum is None:
        # Without a checksum nothing would show that the old bytes came from another file.
        part.unlink(missing_ok=True)
    for attempt in range(1, settings.tries + 1):
        try:
            _transfer(url, part, settings)
            break
        except Failed as failure:
            if not failure.passing or attempt == settings.tries:
                raise
            pause = settings.backoff * 2 ** (attempt - 1)
            log.info("%s: %s; trying again in %g s", url, failure, pause)
            time.sleep(pause)
    _check(part, checksum)
    os.replace(part, target)


def _check(part: Path, checksum: str | None) -> None:
    """Compare the checksum of a finished download; the file is deleted if it differs."""
    if checksum is None:
        return
    algorithm, _, expected = checksum.partition(":")
    found = digest(part, algorithm)
    if found != expected.lower():
        part.unlink()
        raise Failed(f"wrong checksum: expected {algorithm} {expected}, found {found}")


def _transfer(url: str, part: Path, settings: Settings) -> None:
    """Bring `part` to its full length; a failure keeps the bytes that have arrived."""
    start = part.stat().st_size if part.exists() else 0
    # "identity": a length and a range count the bytes of the file itself, not of a packed copy.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        with requests.get(url, headers=headers, stream=True, timeout=settings.timeout) as response:
            if response.status_code == 416:
                # What is there is all there is, or belongs to another version of the file.
                if response.headers.get("Content-Range") == f"bytes */{start}":
                    return
                part.unlink()
                raise Failed("the rest of a partial download was refused", passing=True)
            if response.status_code not in (200, 206):
                passing = response.status_code == 429 or response.status_code >= 500
                raise Failed(f"HTTP status {response.status_code} {response.reason}", passing)
            _receive(response, part, start)
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise Failed(_reason(error), passing=not isinstance(error, ValueError)) from error


def _receive(response: requests.Response, part: Path, start: int) -> None:
    """Write the body of a response behind the first `start` bytes of `part`."""
    resumed = response.status_code == 206
    if resumed and not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
        part.unlink()
        raise Failed("the server resumed at another place than asked for", passing=True)
    done = start if resumed else 0
    length = response.headers.get("Content-Length")
    total = done + int(length) if length else None
    shown = time.monotonic()
    # The raw stream: a file.gz must arrive as it is, whatever encoding the server declares.
    chunks = response.raw.stream(CHUNK, decode_content=False)
    chunk = next(chunks, b"")
    if not resumed and _is_html(chunk):
        raise Failed("the server sent an HTML page instead of the data")
    with open(part, "ab" if resumed else "wb") as file:
        while chunk:
            file.write(chunk)
            done += len(chunk)
            if time.monotonic() - shown >= PROGRESS_SECONDS:
                shown = time.monotonic()
                log.info("%s: %s", response.url, _progress(done, total))
            chunk = next(chunks, b"")
        file.flush()
        os.fsync(file.fileno())
    if done == 0 or (total is not None and done != total):
        raise Failed(f"the transfer stopped after {_progress(done, total)}", passing=True)


def _is_html(start: bytes) -> bool:
    """Whether a file begins as a web page; error and login pages come with status 200, too."""
    head = start[:512].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html", b"<head"))


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
