"""Servers and archives that mean harm, or just fail: each ends in one line or the right file."""

import bz2
import contextlib
import gzip
import hashlib
import http.server
import io
import itertools
import json
import lzma
import shutil
import ssl
import stat
import subprocess
import sys
import threading
import time
import types
import zipfile
from pathlib import Path

import pytest
from forms import zstd

from rankassay.data import download as data_download
from rankassay.data import opening, tables, transfer
from rankassay.data.download import extract, fetch
from rankassay.data.reading import lines_of
from rankassay.data.scores import wide
from rankassay.data.tables import read_qrels, read_run
from rankassay.data.transfer import Settings
from rankassay.errors import RankassayError

DELIMITED = {"format": "delimited"}
DATA = bytes(range(256)) * 1024
NEW = DATA[::-1]
QUICK = Settings(timeout=(2, 0.7), tries=2, backoff=0.01, slowest=1000, patience=0.3, largest=10**6)


class Handler(http.server.BaseHTTPRequestHandler):
    """Gives the next of `server.answers`, and the last of them again and again."""

    def do_GET(self):
        self.server.requests.append(dict(self.headers))
        answers = self.server.answers
        with contextlib.suppress(OSError):
            (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def log_message(self, *arguments):
        pass


def answer(body=b"", status=200, pause=0.0, **headers):
    """Return an answer: its body, in pieces if it is an iterator, and what its headers say."""

    def give(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        for piece in [body] if isinstance(body, bytes) else body:
            handler.wfile.write(piece)
            time.sleep(pause)

    return give


WHOLE = answer(DATA, Content_Length=str(len(DATA)))
HALF = len(DATA) // 2
PACKED = gzip.compress(DATA)


def cut(**headers):
    """Return an answer that stops half-way."""
    return answer(DATA[:HALF], Content_Length=str(len(DATA)), **headers)


def rest(data, **headers):
    """Return the second half of some data as an answer to a request for it."""
    place = f"bytes {HALF}-{len(data) - 1}/{len(data)}"
    return answer(data[HALF:], 206, Content_Range=place, **headers)


def part_of(start, stop, **headers):
    """Return an answer that brings some bytes, and says how many there are in all."""
    place = f"bytes {start}-{stop - 1}/{len(DATA)}"
    length = str(stop - start)
    return answer(DATA[start:stop], 206, Content_Range=place, Content_Length=length, **headers)


def hang_up(handler):
    handler.connection.close()


@pytest.fixture(autouse=True)
def direct(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests, server.answers = [], []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def get(server, folder, *answers, checksum=None, scheme="http"):
    """Fetch from a server with these answers into folder/raw, and return the file's bytes."""
    server.answers[:] = answers
    url = f"{scheme}://127.0.0.1:{server.server_port}/r.dat"
    entry = {"urls": [url], "files": {"ratings": "r.dat"}}
    entry |= {"checksum": f"sha256:{hashlib.sha256(checksum).hexdigest()}"} if checksum else {}
    fetch("toy", entry, folder / "raw", QUICK, folder / "first-use")
    return (folder / "raw/toy/r.dat").read_bytes()


def files(folder):
    """Return the files in a folder, but not the records of their checksums."""
    found = (p for p in folder.rglob("*") if p.is_file() and p.suffix != ".sha256")
    return sorted(p.relative_to(folder).as_posix() for p in found)


ENDLESS = itertools.repeat(b"x" * 65536)

REFUSED = {
    "not found": ([answer(status=404)], "HTTP status 404", 1),
    "gone wrong": ([answer(status=500)], "HTTP status 500", 2),
    "too many requests": ([answer(status=429)], "HTTP status 429", 2),
    "no content": ([answer(b"")], "stopped after 0.0 MB", 2),
    "not modified": ([answer(status=304)], "HTTP status 304", 1),
    "hung up": ([hang_up], "onnection", 2),
    "cut": ([answer(DATA[:9], Content_Length="99")], "IncompleteRead", 2),
    "a page": ([answer(b"\xef\xbb\xbf \n<!DOCTYPE html><p>Log in")], "an HTML page instead", 1),
    "a loop": ([answer(status=302, Location="/r.dat")], "Exceeded 30 redirects", 31),
    "another protocol": ([answer(status=302, Location="file:///etc/passwd")], "file:///etc", 1),
    "no address": ([answer(status=302, Location="http://[")], "URL", 1),
    "endless": ([answer(ENDLESS)], "more than the 1.0 MB", 1),
    "said too large": ([answer(b"x", Content_Length=str(10**15))], "more than the 1.0 MB", 1),
    "a trickle": ([answer(itertools.repeat(b"x"), pause=0.02)], "bytes a second over 0 s", 2),
    "a pause": ([answer([DATA, b"x"], pause=1, Content_Length="999999")], "timed out", 2),
    "bad chunks": ([answer(b"zz\r\n", Transfer_Encoding="chunked")], "stopped|chunk|read", 2),
    "no length": ([answer(DATA, Content_Length="many")], "Content-Length that is a number", 1),
    "a negative length": ([answer(DATA, Content_Length="-5")], "number, found '-5'", 1),
    "a part": ([part_of(0, 1000)], r"stopped after 0\.0 of 0\.3 MB", 2),
    "a part that it asks for": (
        [cut(ETag='"1"'), part_of(HALF, HALF + 9, ETag='"1"')],
        "of 0.3",
        2,
    ),
    "a part of anything": ([answer(DATA, 206, Content_Range=f"bytes 0-{HALF}/*")], "unknown l", 1),
    "a part of nothing": ([answer(DATA, 206)], "another part than asked for", 1),
    "a shorter file": ([cut(ETag='"1"'), rest(DATA[:-9], ETag='"1"')], "another length", 2),
    "an end": (
        [cut(ETag='"1"'), answer(status=416, Content_Range=f"bytes */{HALF}")],
        "refused",
        2,
    ),
    "an end at once": ([answer(status=416, Content_Range="bytes */0")], "HTTP status 416", 1),
    "packed": ([answer(PACKED, Content_Encoding="gzip")], r"packed by the server \(gzip\)", 1),
    "packed with a length": (
        [answer(PACKED, Content_Encoding="x-own", Content_Length=str(len(PACKED)))],
        "x-own",
        1,
    ),
    "packed on the way": ([answer(PACKED, Transfer_Encoding="gzip, chunked")], "server .gzip", 1),
    "a page behind a remark": ([answer(b"<!-- %s --><html>" % (b"a" * 9999))], "an HTML page", 1),
    "a page in pieces": ([answer([b"<", b"html>Log in</html>"], pause=0.1)], "an HTML page", 1),
    "a page in UTF-16": ([answer("<html>Log in</html>".encode("utf-16"))], "an HTML page", 1),
    "a page without a head": ([answer(b"<body>Log in</body>")], "an HTML page", 1),
    "an error in XML": ([answer(b'<?xml version="1.0"?><Error/>')], "an HTML page", 1),
    "no HTTP": ([lambda handler: handler.wfile.write(b"\0\1\2\r\n\r\n")], "onnection|Status", 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_deliver_is_refused_in_one_line(server, tmp_path, case):
    answers, message, requests = REFUSED[case]
    with pytest.raises(RankassayError, match=message) as error:
        get(server, tmp_path, *answers)
    assert len(str(error.value).splitlines()) == 1
    assert len(server.requests) == requests
    assert "raw/toy/r.dat" not in files(tmp_path)
    assert all(name == "raw/toy/r.dat.part" for name in files(tmp_path))


DELIVERED = {
    "at the second try": ([answer(status=503), WHOLE], DATA),
    "after hanging up": ([hang_up, WHOLE], DATA),
    "by a redirect": ([answer(status=302, Location="/other"), WHOLE], DATA),
    "all of it as a part": ([part_of(0, len(DATA))], DATA),
    "in parts": ([part_of(0, 9, ETag='"1"'), part_of(9, len(DATA), ETag='"1"')], DATA),
    "resumed": ([cut(ETag='"1"'), rest(DATA, ETag='"1"')], DATA),
    "resumed by time": ([cut(Last_Modified="today"), rest(DATA, Last_Modified="today")], DATA),
    "changed, and said": ([cut(ETag='"1"'), answer(NEW, ETag='"2"')], NEW),
}


@pytest.mark.slow
@pytest.mark.parametrize("checksum", [True, False])
@pytest.mark.parametrize("case", DELIVERED)
def test_what_delivers_in_the_end_is_right(server, tmp_path, case, checksum):
    answers, expected = DELIVERED[case]
    assert get(server, tmp_path, *answers, checksum=expected if checksum else None) == expected
    assert files(tmp_path) == ["raw/toy/r.dat"]
    resumed = server.requests[-1] if "resumed" in case else {}
    if resumed:
        assert resumed["Range"] == f"bytes={HALF}-"
        assert resumed["If-Range"] in ('"1"', "today")


def test_a_page_does_not_take_the_place_of_a_part(server, tmp_path):
    part = tmp_path / "raw/toy/r.dat.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(DATA[:HALF])
    with pytest.raises(RankassayError, match="an HTML page"):
        get(server, tmp_path, answer(b"<!-- portal --><html>"), checksum=DATA)
    assert part.read_bytes() == DATA[:HALF]


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "identity"])
def test_a_packed_file_stays_as_it_is_though_the_server_calls_it_encoded(server, tmp_path, coding):
    server.answers[:] = [answer(PACKED, Content_Encoding=coding)]
    url = f"http://127.0.0.1:{server.server_port}/r.dat.gz"
    found = fetch("toy", {"urls": [url], "files": {"ratings": "r.dat.gz"}}, tmp_path, QUICK)
    assert Path(found["ratings"]["path"]).read_bytes() == PACKED


def test_parts_of_two_versions_are_never_put_together(server, tmp_path):
    """A server that resumes a file which has changed, whether it says so or not."""
    with pytest.raises(RankassayError, match="changed on the server"):
        get(server, tmp_path, cut(ETag='"1"'), rest(NEW, ETag='"2"'))
    assert get(server, tmp_path / "2", cut(), WHOLE) == DATA  # nothing tells: it is not resumed
    assert "Range" not in server.requests[-1]
    with pytest.raises(RankassayError, match="wrong checksum"):
        get(server, tmp_path / "3", cut(), rest(NEW), checksum=DATA)
    assert files(tmp_path) == ["2/raw/toy/r.dat"]


def test_a_part_of_another_version_is_downloaded_anew_if_the_checksum_tells(server, tmp_path):
    part = tmp_path / "raw/toy/r.dat.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(NEW[:HALF])
    assert get(server, tmp_path, rest(DATA), WHOLE, checksum=DATA) == DATA
    assert ["Range" in request for request in server.requests] == [True, False]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_a_server_without_a_valid_certificate_is_refused(server, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with pytest.raises(RankassayError, match="certificate verify failed"):
        get(server, tmp_path, WHOLE, scheme="https")
    assert server.requests == []
    assert not (tmp_path / "raw/toy/r.dat.part").exists()


# ---- Archives ------------------------------------------------------------------------------------


def zipped(folder, *members, **options):
    """Write an archive of (name or ZipInfo, content) pairs and return its path."""
    path = folder / "set.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name", ["../../r.dat", "/etc/r.dat", "a/../../../r.dat", "./r.dat", "C:/r.dat", "//x/r.dat"]
)
def test_no_path_in_an_archive_leads_out(tmp_path, name):
    archive = zipped(tmp_path, (name, b"1::2::3\n"), ("../../evil", b"evil"))
    extract(archive, {"r.dat": tmp_path / "raw/toy/r.dat"})
    assert files(tmp_path) == ["raw/toy/r.dat", "set.zip"]
    assert not Path("/etc/r.dat").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_special_files_are_refused(tmp_path, kind):
    member = zipfile.ZipInfo("r.dat")
    member.external_attr = (kind | 0o777) << 16
    archive = zipped(tmp_path, (member, b"/etc/passwd"))
    with pytest.raises(RankassayError, match="expected a plain file, found a link or another"):
        extract(archive, {"r.dat": tmp_path / "raw/r.dat"})
    assert files(tmp_path) == ["set.zip"]


def test_an_existing_link_is_replaced_and_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw/r.dat").symlink_to(outside)
    extract(zipped(tmp_path, ("r.dat", b"theirs")), {"r.dat": tmp_path / "raw/r.dat"})
    assert outside.read_bytes() == b"mine"
    assert (tmp_path / "raw/r.dat").read_bytes() == b"theirs"


def test_bombs_are_refused_by_what_they_declare(tmp_path):
    archive = zipped(tmp_path, ("r.dat", b"\0" * 10**7))
    assert archive.stat().st_size < 20_000
    with pytest.raises(RankassayError, match=r"at most 1\.0 MB unpacked, found 10\.0 MB"):
        extract(archive, {"r.dat": tmp_path / "r.dat"}, largest=10**6)
    assert files(tmp_path) == ["set.zip"]


def test_bombs_that_declare_less_are_refused_too(tmp_path):
    archive = zipped(tmp_path, ("r.dat", b"\0" * 10**7))
    said = (10**7).to_bytes(4, "little")
    archive.write_bytes(archive.read_bytes().replace(said, (100).to_bytes(4, "little")))
    with pytest.raises(RankassayError, match="truncated or damaged"):
        extract(archive, {"r.dat": tmp_path / "r.dat"}, largest=10**6)
    assert files(tmp_path) == ["set.zip"]


def test_encrypted_and_ambiguous_members_are_refused(tmp_path):
    archive = zipped(tmp_path, ("a/r.dat", b"1"), ("b/r.dat", b"2"))
    with pytest.raises(RankassayError, match=r"'r\.dat', found 2 of that name"):
        extract(archive, {"r.dat": tmp_path / "r.dat"})
    data = bytearray(zipped(tmp_path, ("r.dat", b"1")).read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1
    archive.write_bytes(data)
    with pytest.raises(RankassayError, match="found an encrypted one"):
        extract(archive, {"r.dat": tmp_path / "r.dat"})


@pytest.mark.parametrize("name", ["..", ".", "a/..", "/"])
def test_files_of_an_entry_stay_in_the_raw_directory(tmp_path, name):
    zipped(tmp_path, ("r.dat", b"1"))
    entry = {"urls": [], "archive": "set.zip", "files": {"ratings": name}}
    with pytest.raises(RankassayError, match="expected the name of a file"):
        fetch("toy", entry, tmp_path, QUICK)
    assert files(tmp_path) == ["set.zip"]


def test_two_runs_at_once_download_one_file(server, tmp_path):
    # The first sends half, waits, and sends the rest; without a checksum nothing else would tell.
    slow = answer(iter([DATA[:HALF], DATA[HALF:]]), pause=0.2)
    server.answers[:] = [slow, answer(b"another file", Content_Length="12")]
    url = f"http://127.0.0.1:{server.server_port}/r.dat"
    entry = {"urls": [url], "files": {"ratings": "r.dat"}}
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(fetch("toy", entry, tmp_path, QUICK)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert (tmp_path / "toy/r.dat").read_bytes() == DATA
    assert [file["ratings"]["sha256"] for file in found] == [hashlib.sha256(DATA).hexdigest()] * 2
    assert len(server.requests) == 1


def test_a_file_without_a_checksum_stays_the_one_of_the_first_use(server, tmp_path):
    assert get(server, tmp_path, WHOLE) == DATA
    assert get(server, tmp_path, WHOLE) == DATA
    path = tmp_path / "raw/toy/r.dat"
    path.write_bytes(NEW)
    with pytest.raises(RankassayError, match="is not the file that was used first"):
        get(server, tmp_path, WHOLE)
    path.unlink()
    # Another version on the server is no better.
    with pytest.raises(RankassayError, match="delete the record, if you want this one"):
        get(server, tmp_path, answer(NEW, Content_Length=str(len(NEW))))
    (tmp_path / "first-use/toy.sha256").unlink()
    assert get(server, tmp_path, WHOLE) == NEW


def test_a_kill_before_the_record_leaves_a_file_that_the_next_run_records(
    server, tmp_path, monkeypatch
):
    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(data_download, "_check_first_use", killed)
        with pytest.raises(KeyboardInterrupt):
            get(server, tmp_path, WHOLE)
    assert get(server, tmp_path, WHOLE) == DATA
    (tmp_path / "raw/toy/r.dat").write_bytes(NEW)
    with pytest.raises(RankassayError, match="is not the file that was used first"):
        get(server, tmp_path, WHOLE)


@pytest.mark.parametrize("place", ["toy/r.dat", "r.zip"])
def test_a_file_that_is_found_is_the_one_of_the_catalogue(server, tmp_path, place):
    path = tmp_path / "raw" / place
    path.parent.mkdir(parents=True)
    path.write_bytes(DATA[:HALF])
    entry = {"urls": [], "files": {"ratings": "r.dat"}}
    entry |= {"archive": "r.zip"} if place == "r.zip" else {}
    entry["checksum"] = f"md5:{hashlib.md5(DATA).hexdigest()}"
    with pytest.raises(
        RankassayError, match=f"{place} is not the file of the catalogue: expected md5"
    ):
        fetch("toy", entry, tmp_path / "raw", QUICK)


def test_a_found_file_without_a_checksum_stays_the_one_of_the_first_use(tmp_path):
    path = tmp_path / "toy/r.dat"
    path.parent.mkdir(parents=True)
    entry = {"urls": [], "files": {"ratings": "r.dat"}}
    for content in (DATA, DATA, NEW):
        path.write_bytes(content)
        if content is DATA:
            fetch("toy", entry, tmp_path, QUICK, tmp_path / "first-use")
    with pytest.raises(RankassayError, match="delete the record, if you want this one"):
        fetch("toy", entry, tmp_path, QUICK, tmp_path / "first-use")


def test_a_redirect_to_a_way_that_nothing_protects_is_refused():
    def hop(url):
        return types.SimpleNamespace(url=url, history=[])

    last = hop("http://b.org/file")
    last.history = [hop("http://a.org"), hop("https://a.org")]
    with pytest.raises(transfer.Failed, match=r"redirects from https to http://b\.org/file"):
        transfer._check_redirects(last)
    last.history = [hop("http://a.org"), hop("http://a.org/file")]
    transfer._check_redirects(last)


def test_a_file_that_does_not_fit_on_the_disk_is_refused_before_it_fills_it(
    server, tmp_path, monkeypatch
):
    usage = types.SimpleNamespace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(RankassayError, match=r"0.3 MB are needed, 0.0 MB are free"):
        get(server, tmp_path, WHOLE)
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("r.dat", DATA)
    with pytest.raises(RankassayError, match=r"0.3 MB are needed in .*, 0.0 MB are free"):
        extract(archive, {"r.dat": tmp_path / "r.dat"})


@pytest.mark.parametrize("read", [lines_of, read_qrels])
def test_a_line_that_fills_the_memory_is_refused(tmp_path, read, monkeypatch):
    monkeypatch.setattr(opening, "LONGEST_LINE", 1_000_000)
    path = tmp_path / "ratings.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"u 0 i 4\n" + b"x" * 20_000_000)
    columns = {"user": 0, "item": 2, "rating": 3}
    given = [DELIMITED | {"separator": " ", "columns": columns}] if read is lines_of else []
    with pytest.raises(RankassayError, match=r"line 2: expected a line of at most 1 MB"):
        read(path, *given)


@pytest.mark.parametrize("read", [read_qrels, read_run])
@pytest.mark.parametrize("harm", ["cut", "flipped"])
@pytest.mark.parametrize("form", ["gzip", "xz", "zstd"])
def test_a_damaged_packed_file_is_named_in_one_line(tmp_path, read, harm, form):
    pack = {"gzip": gzip.compress, "xz": lzma.compress, "zstd": zstd}[form]
    lines = "".join(f"u{n} 0 i{n * n} 3\n" for n in range(5000))
    whole = bytearray(pack(lines.encode()))
    at = 4 if form == "zstd" else 60  # its content has no check sum in what pyarrow writes
    whole[at : at + 3] = b"\xff\xff\xff" if harm == "flipped" else whole[at : at + 3]
    path = tmp_path / "lists.gz"
    path.write_bytes(whole[:80] if harm == "cut" else whole)
    with pytest.raises(RankassayError, match=rf"lists\.gz: expected a whole {form} file, found"):
        read(path)


@pytest.mark.parametrize("form", ["gzip", "xz", "zstd"])
def test_a_packed_file_in_parts_is_read_to_its_end(tmp_path, form):
    pack = {"gzip": gzip.compress, "xz": lzma.compress, "zstd": zstd}[form]
    (tmp_path / "qrels").write_bytes(pack(b"u 0 i 4\n") + pack(b"u 0 j 3\n"))
    assert read_qrels(tmp_path / "qrels")["rating"].tolist() == [4, 3]
    (tmp_path / "qrels").write_bytes(pack(b"u 0 i 4\n") + b"u 0 j 3\n")
    with pytest.raises(RankassayError, match=f"expected a whole {form} file"):
        read_qrels(tmp_path / "qrels")


def test_a_file_packed_by_zstd_says_what_reads_it(tmp_path, monkeypatch):
    for name in ("compression", "compression.zstd", "backports", "backports.zstd", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "qrels").write_bytes(zstd(b"u 0 i 4\n"))
    with pytest.raises(RankassayError, match=r"qrels: .*pyarrow.* unpack the file"):
        read_qrels(tmp_path / "qrels")


@pytest.mark.slow
def test_what_a_server_says_does_not_reach_the_terminal_as_it_is(server, tmp_path, capfd):
    def evil(handler):
        handler.send_response_only(404, "\x1b[2J gone")
        handler.end_headers()

    server.answers[:] = [evil]
    entry = {"urls": [f"http://127.0.0.1:{server.server_port}/r"], "files": {"ratings": "r"}}
    places = {"raw_dir": str(tmp_path), "first_use": str(tmp_path), "output": "source.json"}
    job = json.dumps({"fetch": {"dataset": "toy", "source": entry} | places}).encode()
    command = [sys.executable, "-m", "rankassay", "job"]
    done = subprocess.run(command, capture_output=True, check=False, input=job, cwd=tmp_path)
    assert done.returncode == 1
    assert b"gone" in done.stderr
    assert b"\x1b" not in done.stderr


def in_a_zip(content):
    """Return a zip archive with one file."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("lists.csv", content)
    return archive.getvalue()


def twice(content):
    return gzip.compress(gzip.compress(content))


@pytest.mark.parametrize("pack", [twice, bz2.compress, in_a_zip])
@pytest.mark.parametrize("reader", ["qrels", "table", "ratings", "scores"])
def test_a_file_that_is_packed_in_another_way_is_named_as_one(tmp_path, pack, reader):
    """In latin-1 its bytes would pass for text."""
    path = tmp_path / "lists.csv"
    path.write_bytes(pack(b"user,item,rating\nann,film,5\nann,book,3\n"))
    entry = {"separator": ",", "columns": {"user": 0, "item": 1, "rating": 2}}
    read = {
        "qrels": lambda: read_qrels(path),
        "table": lambda: tables.read(path, "rating"),
        "ratings": lambda: lines_of(path, DELIMITED | entry | {"encoding": "latin-1"}),
        "scores": lambda: wide(str(path), ","),
    }
    remedy = "gzip twice; unpack it once" if pack is twice else "unpack it"
    with pytest.raises(RankassayError, match=f"lists.csv: expected text, .*packed by.*{remedy}"):
        read[reader]()


def test_texts_that_begin_as_archives_do_are_texts(tmp_path):
    path = tmp_path / "qrels"
    for user in ("BZh9", "PK", "FEA1", "ARROW1", "ORC", "MATLAB", "version", "c", "X", "<b>", "7z"):
        path.write_text(f"{user} 0 film 5\n")
        assert read_qrels(path)["user"].tolist() == [user]


@pytest.mark.parametrize("name", ["lists.csv", "lists.csv.gz", "lists"])
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bytes])
def test_the_content_and_not_the_name_says_whether_a_file_is_packed(tmp_path, name, pack):
    path = tmp_path / name
    path.write_bytes(pack(b"user,item,rating\nann,film,5\n"))
    entry = {"separator": ",", "columns": {"user": 0, "item": 1, "rating": 2}, "header": True}
    assert tables.read(path, "rating")["rating"].tolist() == [5]
    assert lines_of(path, DELIMITED | entry)["rating"].tolist() == [5]
    path.write_bytes(pack(b"u 0 i 3\n"))
    assert read_qrels(path)["rating"].tolist() == [3]
