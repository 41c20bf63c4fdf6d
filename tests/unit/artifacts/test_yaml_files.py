"""YAML is read as it is meant, or refused with the line, however large it would become."""

import pytest
import yaml

from rankassay.artifacts import yaml_files
from rankassay.errors import RankassayError

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands there twice"),
        ("a:\n  b: 1\n  'b': 2\n", "line 3: the key 'b' stands there twice"),
        (BOMB, "line 6: expected at most 100000 values"),
        ("a: &a [*a]\n", "expected at most 100000 values"),
        ("[" * 500 + "]" * 500, "line 1: expected at most 30 levels"),
        ("a: " + "9" * 6000, "line 1: expected a number of at most 19 digits"),
        ("a: [1\nb: 2\n", "line 2: expected YAML"),
        ("a: b: c\n", "line 1: expected YAML"),
        ("a: *nothing\n", "expected"),
        ("a: !!python/object/apply:os.getcwd []\n", "line 1: expected YAML"),
        ("a: \udcff".encode("utf-8", "surrogateescape"), "line 1: expected text in UTF-8"),
        ("a: \x07\n", "expected YAML"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RankassayError, match=message) as caught:
        yaml_files.read(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(RankassayError, match=r"nothing.yaml: expected a YAML file; No such file"):
        yaml_files.read(tmp_path / "nothing.yaml")


def test_what_is_meant_is_read_as_any_reader_would(tmp_path):
    text = "base: &base {x: 1, y: [1, 2]}\nother:\n  <<: *base\n  x: 2\nlist: [{x: 1}, {x: 2}]\n"
    text += "number: &number 5\nagain: [*number, *number]\n"
    path = tmp_path / "mine.yaml"
    path.write_text(text + "digits: '99999999999999999999999'\n")
    assert yaml_files.read(path) == yaml.safe_load(path.read_text())


def test_the_program_says_the_first_mistake_and_fails(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\n")
    assert yaml_files.main([str(path)]) == 0
    path.write_text("a: 1\na: 2\n")
    assert yaml_files.main([str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"rankassay: config: {path}, line 2: the key 'a'")
