import hashlib
import http.server
import io
import os
import threading
import zipfile

import pytest

from rankassay.data.download import fetch
from rankassay.data.transfer import Settings
from rankassay.errors import RankassayError

QUICK = Settings(timeout=(2, 2), tries=3, backoff=0.01)
DATA = bytes(range(256)) * 2048  # 512 kB: several chunks


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves `server.files`; the path says what goes wrong."""

    def do_GET(self):
        server = self.server
        server.requests.append((self.path, self.headers.get("Range")))
        _, fault, name = self.path.split("/")
        seen = sum(path == self.path for path, _ in server.requests)
        if fault == "missing":
            self.send_error(404)
        elif fault == "down" or (fault == "hiccup" and seen == 1):
            self.send_error(500)
        elif fault == "page":
            self.reply(b"<!DOCTYPE html><html>Please log in</html>")
        elif fault == "cut" and seen == 1:
            self.reply(server.files[name], stop=len(server.files[name]) // 2)
        elif fault == "no-range":
            self.reply(server.files[name])
        else:
            self.reply(server.files[name], start=self.start())

    def start(self):
        asked = self.headers.get("Range")
        return int(asked.removeprefix("bytes=").removesuffix("-")) if asked else None

    def reply(self, body, start=None, stop=None):
        if start is not None and start >= len(body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200 if start is None else 206)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - (start or 0)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(body[start or 0 : stop])

    def log_message(self, *arguments):
        pass


@pytest.fixture(autouse=True)
def direct(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.files = {"ratings.txt": DATA, "set.zip": zipped()}
        server.requests = []
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def zipped(members=None):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in (members or {"set/r.dat": "1::2::3\n", "set/m.dat": "2::A::B\n"}).items():
            file.writestr(name, text)
    return buffer.getvalue()


def plain(*urls, checksum=True):
    entry = {"urls": list(urls), "files": {"ratings": "ratings.txt"}}
    return entry | ({"checksum": "md5:" + hashlib.md5(DATA).hexdigest()} if checksum else {})


def packed(*urls, **files):
    files = files or {"ratings": "r.dat", "aspects": "m.dat"}
    return {"urls": list(urls), "archive": "set.zip", "files": files}


def test_download(server, tmp_path):
    url = f"{server.url}/fine/ratings.txt"
    found = fetch("toy", plain(url), tmp_path, QUICK)
    target = tmp_path / "toy" / "ratings.txt"
    assert found == {
        "ratings": {
            "path": str(target),
            "sha256": hashlib.sha256(DATA).hexdigest(),
            "size": len(DATA),
            "origin": url,
        }
    }
    assert target.read_bytes() == DATA
    assert list(tmp_path.rglob("*.part")) == []
    assert fetch("toy", plain(url), tmp_path, QUICK)["ratings"]["origin"] == "found"
    assert len(server.requests) == 1


def test_next_url_after_404(server, tmp_path):
    urls = [f"{server.url}/missing/ratings.txt", f"{server.url}/fine/ratings.txt"]
    assert fetch("toy", plain(*urls), tmp_path, QUICK)["ratings"]["origin"] == urls[1]
    assert len(server.requests) == 2  # a 404 is not tried again


def test_second_try_after_500(server, tmp_path):
    fetch("toy", plain(f"{server.url}/hiccup/ratings.txt"), tmp_path, QUICK)
    assert len(server.requests) == 2


@pytest.mark.parametrize("checksum", [True, False])
def test_cut_transfer_is_resumed(server, tmp_path, checksum):
    entry = plain(f"{server.url}/cut/ratings.txt", checksum=checksum)
    fetch("toy", entry, tmp_path, QUICK)
    assert (tmp_path / "toy" / "ratings.txt").read_bytes() == DATA
    (_, first), (_, second) = server.requests
    assert first is None
    assert int(second.removeprefix("bytes=").removesuffix("-")) > 0


@pytest.mark.parametrize("fault", ["fine", "no-range"])
@pytest.mark.parametrize("length", [1000, len(DATA)])
def test_partial_download_of_an_earlier_run(server, tmp_path, fault, length):
    part = tmp_path / "toy" / "ratings.txt.part"
    part.parent.mkdir()
    part.write_bytes(DATA[:length])
    fetch("toy", plain(f"{server.url}/{fault}/ratings.txt"), tmp_path, QUICK)
    assert (tmp_path / "toy" / "ratings.txt").read_bytes() == DATA
    assert server.requests[0][1] == f"bytes={length}-"


@pytest.mark.parametrize("leads_to", ["a file", "nothing", "a pipe"])
def test_a_link_in_the_place_of_a_partial_download_is_not_followed(server, tmp_path, leads_to):
    part, other = tmp_path / "toy" / "ratings.txt.part", tmp_path / "other"
    part.parent.mkdir()
    if leads_to == "a file":
        other.write_bytes(DATA[:1000])
    elif leads_to == "a pipe":
        os.mkfifo(other)
    part.symlink_to(other)
    fetch("toy", plain(f"{server.url}/fine/ratings.txt"), tmp_path, QUICK)
    found = tmp_path / "toy" / "ratings.txt"
    assert found.read_bytes() == DATA
    assert not found.is_symlink()
    assert other.exists() == (leads_to != "nothing")
    assert leads_to != "a file" or other.read_bytes() == DATA[:1000]


def test_old_part_is_not_trusted_without_checksum(server, tmp_path):
    part = tmp_path / "toy" / "ratings.txt.part"
    part.parent.mkdir()
    part.write_bytes(b"another file")
    fetch("toy", plain(f"{server.url}/fine/ratings.txt", checksum=False), tmp_path, QUICK)
    assert (tmp_path / "toy" / "ratings.txt").read_bytes() == DATA


def test_wrong_checksum(server, tmp_path):
    entry = plain(f"{server.url}/fine/ratings.txt") | {"checksum": "sha256:" + "0" * 64}
    with pytest.raises(RankassayError) as error:
        fetch("toy", entry, tmp_path, QUICK)
    found = hashlib.sha256(DATA).hexdigest()
    assert f"expected sha256 {'0' * 64}, found {found}" in str(error.value)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_html_page_is_refused(server, tmp_path):
    with pytest.raises(RankassayError, match="HTML page instead of the data"):
        fetch("toy", plain(f"{server.url}/page/ratings.txt", checksum=False), tmp_path, QUICK)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_message_when_nothing_delivers(server, tmp_path):
    urls = [
        "http://127.0.0.1:9/ratings.txt",  # nothing listens there
        f"{server.url}/down/ratings.txt",
        f"{server.url}/missing/ratings.txt",
    ]
    with pytest.raises(RankassayError) as error:
        fetch("toy", plain(*urls), tmp_path, QUICK)
    message = str(error.value)
    assert "\n" not in message
    assert all(url in message for url in urls)
    assert "Connection refused" in message
    assert "HTTP status 500" in message
    assert "HTTP status 404" in message
    assert f"put it at {tmp_path / 'toy' / 'ratings.txt'}." in message
    assert sum("/down/" in path for path, _ in server.requests) == 3


def test_message_without_urls(tmp_path):
    with pytest.raises(RankassayError, match="no URL of it is known"):
        fetch("toy", plain(), tmp_path, QUICK)


def test_archive_is_downloaded_and_extracted(server, tmp_path):
    url = f"{server.url}/fine/set.zip"
    found = fetch("toy", packed(url), tmp_path, QUICK)
    assert (tmp_path / "toy" / "r.dat").read_text() == "1::2::3\n"
    assert (tmp_path / "toy" / "m.dat").read_text() == "2::A::B\n"
    assert found["aspects"]["origin"] == url
    assert found["aspects"]["archive"] == str(tmp_path / "toy" / "set.zip")


@pytest.mark.parametrize("place", ["set.zip", "toy/set.zip"])
def test_archive_is_found(tmp_path, place):
    (tmp_path / "toy").mkdir()
    (tmp_path / place).write_bytes(zipped())
    found = fetch("toy", packed(ratings="set/r.dat"), tmp_path, QUICK)
    assert found["ratings"]["origin"] == "found"
    assert (tmp_path / "toy" / "r.dat").read_text() == "1::2::3\n"


def test_paths_of_the_archive_are_not_used(tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "set.zip").write_bytes(zipped({"../../evil.dat": "1::2::3\n"}))
    fetch("toy", packed(ratings="../../evil.dat"), raw, QUICK)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(files) == [raw / "set.zip", raw / "toy" / "evil.dat"]


@pytest.mark.parametrize("damage", ["truncated", "no zip", "flipped byte"])
def test_damaged_archive(tmp_path, damage):
    whole = zipped({"r.dat": "1::2::3\n" * 1000})
    broken = {
        "truncated": whole[: len(whole) // 2],
        "no zip": b"not at all",
        "flipped byte": whole[:50] + bytes([whole[50] ^ 255]) + whole[51:],
    }
    (tmp_path / "set.zip").write_bytes(broken[damage])
    with pytest.raises(RankassayError, match=r"set\.zip: expected a whole zip .* delete it"):
        fetch("toy", packed(ratings="r.dat"), tmp_path, QUICK)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["set.zip"]


def test_missing_member(tmp_path):
    (tmp_path / "set.zip").write_bytes(zipped())
    with pytest.raises(RankassayError, match=r"'u\.data', found none; .* set/r\.dat, set/m\.dat"):
        fetch("toy", packed(ratings="u.data"), tmp_path, QUICK)


def test_file_in_raw_dir_is_used_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw" / "toy").mkdir(parents=True)
    (tmp_path / "raw" / "toy" / "r.dat").write_text("other content")
    entry = packed("http://127.0.0.1:9/set.zip") | {"checksum": "md5:" + "0" * 32}
    found = fetch("toy", entry, "raw", QUICK)
    assert list(found) == ["ratings"]  # no archive at hand: the aspects are left out
    assert found["ratings"]["path"] == "raw/toy/r.dat"
    assert found["ratings"]["sha256"] == hashlib.sha256(b"other content").hexdigest()


def test_records_are_in_the_folder_of_the_run_and_of_each_path(tmp_path):
    entry = {"files": {"ratings": "r.dat", "aspects": "m.dat"}}
    records = tmp_path / "run/first-use"
    for raw in ("raw", "other raw"):
        (tmp_path / raw / "toy").mkdir(parents=True)
        for name in entry["files"].values():
            (tmp_path / raw / "toy" / name).write_text(f"{raw} {name}")
        for _ in range(2):
            fetch("toy", entry, tmp_path / raw, QUICK, records)
    assert {path.name for path in tmp_path.rglob("*.*")} == {"r.dat", "m.dat", "toy.sha256"}
    lines = (records / "toy.sha256").read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256(f'{raw} {name}'.encode()).hexdigest()}  {tmp_path / raw / 'toy' / name}"
        for raw in ("raw", "other raw")
        for name in entry["files"].values()
    ]
    (tmp_path / "raw/toy/m.dat").write_text("another")
    with pytest.raises(RankassayError, match=r"m\.dat is not the file that was used first"):
        fetch("toy", entry, tmp_path / "raw", QUICK, records)
    (records / "toy.sha256").write_bytes(b"\xff damaged")
    fetch("toy", entry, tmp_path / "other raw", QUICK, records)


def test_datasets_share_a_folder(tmp_path):
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "ratings.txt").write_text("1,2,3\n")
    found = fetch("toy", plain(checksum=False) | {"folder": "both"}, tmp_path, QUICK)
    assert found["ratings"]["path"] == str(tmp_path / "both" / "ratings.txt")
    with pytest.raises(RankassayError, match=r"put it at .*/toy/ratings\.txt\."):
        fetch("toy", plain(), tmp_path, QUICK)


def test_own_file(tmp_path):
    own = tmp_path / "mine.csv"
    own.write_text("a,b,1\n")
    found = fetch("toy", {"path": str(own)}, tmp_path / "raw", QUICK)
    assert found["ratings"]["path"] == str(own)
    assert not (tmp_path / "raw").exists()
    with pytest.raises(RankassayError, match=r"expected a file at .*none\.csv, found none"):
        fetch("toy", {"path": str(tmp_path / "none.csv")}, tmp_path / "raw", QUICK)


def test_own_archive(tmp_path):
    own = tmp_path / "mine.zip"
    own.write_bytes(zipped())
    entry = {"path": str(own), "files": {"ratings": "r.dat"}}
    found = fetch("toy", entry, tmp_path / "raw", QUICK)
    assert found["ratings"]["path"] == str(tmp_path / "raw" / "toy" / "r.dat")
    own.write_bytes(zipped({"r.dat": "new"}))
    fetch("toy", entry, tmp_path / "raw", QUICK)
    assert (tmp_path / "raw" / "toy" / "r.dat").read_text() == "new"
