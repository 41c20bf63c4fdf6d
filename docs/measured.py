"""The result tables of one run that the pages take their numbers from: `docs/measured/ml-1m`.

`docs/measured/tables.yaml` says which tables, rows and columns of a run are kept. They hold
aggregates alone, no ratings and nothing of single users.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import yaml

from rankassay.advice import simulated
from rankassay.artifacts.files import atomic, certified, read_json, record_of
from rankassay.artifacts.tables import read_table, write_table
from rankassay.errors import RankassayError, one_of

HERE = Path(__file__).parent
KEPT = HERE / "measured" / "tables.yaml"
FOLDER = HERE / "measured" / "ml-1m"
SPLITS = "splits"  # the folder of what another run says of ten splits and of tuned systems
ATLAS = "atlas"  # the folder of what another run says of many datasets
SHIPPED = "answer"  # what stands for the folder of the tables that `rankassay judge` reads
ADVICE = FOLDER / "advice.json"  # the answer of the run, as far as its picture shows it
TRUE = ("coat", "cm100k")  # datasets with a truth, of whose answers the agreement with it is kept
AGREEMENT = {"truth_liked": "tau", "truth_liked_low": "low", "truth_liked_high": "high"}
AGREEMENT |= {"truth_new": "new", "truth_new_low": "new_low", "truth_new_high": "new_high"}
ANSWERED = {  # what is kept of its systems and pairs
    "systems": [
        *("system", "reference", "mean", "low", "high"),
        *("conventional", "conventional_place", "place", "found", "liked"),
    ],
    "pairs": ["better", "worse", "written", "significant", "identical", "conventional_difference"],
}
SETTINGS = "settings"  # the table of the run's own settings: key, value


class Row:
    """A row of a table, whose cells are attributes: `row.tau`, or `row["tau"]`."""

    def __init__(self, place: str, cells: dict):
        self._place, self._cells = place, cells

    def __getitem__(self, column: str):
        """Return a cell."""
        one_of(f"column in {self._place}", column, list(self._cells))
        return self._cells[column]

    def __getattr__(self, column: str):
        """Return a cell."""
        if column.startswith("_"):
            raise AttributeError(column)
        return self[column]


class Rows:
    """Rows of a table, chosen by keys: `rows(metric="P", cutoff=[10, 100])`.

    A key is a column with the value that it has to have, or a list of those that it may have; None
    is an empty cell. An unknown column is an error, and so is a choice that leaves no row.
    """

    def __init__(self, place: str, table: pd.DataFrame, chosen: str = ""):
        self._place, self._table, self._chosen = place, table, chosen

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._table)

    def __iter__(self) -> Iterator[Row]:
        """Yield each row, in the order of the table."""
        for cells in self._table.to_dict("records"):
            yield Row(self._place, cells)

    def frame(self) -> pd.DataFrame:
        """Return the rows as a frame."""
        return self._table.copy()

    def rows(self, **keys) -> "Rows":
        """Return the rows with these keys; without any is an error."""
        found = self._of(self._matching(keys), keys)
        if not len(found):
            raise RankassayError(f"{self._place}: no row has {found._chosen}.")
        return found

    def row(self, **keys) -> Row:
        """Return the only row with these keys."""
        found = self.rows(**keys)
        if len(found) > 1:
            raise RankassayError(
                f"{self._place}: {len(found)} rows have {found._chosen or 'no keys'}; name one."
            )
        return next(iter(found))

    def value(self, column: str, **keys):
        """Return a cell of the only row with these keys."""
        return self.row(**keys)[column]

    def values(self, column: str, **keys) -> list:
        """Return a column of the rows with these keys, in the order of the table."""
        found = self.rows(**keys) if keys else self
        one_of(f"column in {self._place}", column, list(found._table))
        return found._table[column].tolist()

    def each(self, column: str, **keys) -> list:
        """Return a cell for each value in the one key that is a list, in the list's order."""
        several = [key for key, value in keys.items() if isinstance(value, (list, tuple))]
        if len(several) != 1:
            raise RankassayError(f"{self._place}: expected one key with a list, found {several}.")
        key = several[0]
        return [self.value(column, **(keys | {key: value})) for value in keys[key]]

    def count(self, **keys) -> int:
        """Return how many rows have these keys; there may be none."""
        return len(self._of(self._matching(keys), keys))

    def without(self, **keys) -> "Rows":
        """Return the rows without these keys; there may be none."""
        return self._of(~self._matching(keys), keys, "not ")

    def above(self, column: str, bound: float) -> "Rows":
        """Return the rows with more than this in a column; there may be none."""
        return self._of(self._column(column) > bound, {column: bound}, "above ")

    def below(self, column: str, bound: float) -> "Rows":
        """Return the rows with less than this in a column; there may be none."""
        return self._of(self._column(column) < bound, {column: bound}, "below ")

    def starting(self, column: str, prefix: str) -> "Rows":
        """Return the rows with names of this beginning in a column; there may be none."""
        return self._of(self._column(column).str.startswith(prefix), {column: f"{prefix}..."})

    def known(self, column: str) -> "Rows":
        """Return the rows that have a value in a column; there may be none."""
        return self._of(self._column(column).notna(), {column: "known"})

    def differing(self, column: str, other: str) -> "Rows":
        """Return the rows in which two columns differ, as the two metrics of a pair."""
        return self._of(self._column(column) != self._column(other), {column: f"not {other}"})

    def lowest(self, column: str, **keys) -> Row:
        """Return the row with the lowest value in a column; several with it are an error."""
        return self._extreme("lowest", column, keys)

    def highest(self, column: str, **keys) -> Row:
        """Return the row with the highest value in a column; several with it are an error."""
        return self._extreme("highest", column, keys)

    def ordered(self, column: str, reverse: bool = False) -> "Rows":
        """Return the rows from the lowest to the highest value in a column, or in reverse."""
        self._column(column)
        table = self._table.sort_values(column, ascending=not reverse, kind="stable")
        return Rows(self._place, table, self._chosen)

    def _extreme(self, which: str, column: str, keys: dict) -> Row:
        found = self.rows(**keys)
        values = found._column(column)
        best = found._of(values == (values.min() if which == "lowest" else values.max()), {})
        if len(best) != 1:
            raise RankassayError(
                f"{self._place}: {len(best)} rows of those with {found._chosen or 'no keys'} have "
                f"the {which} {column}; a sentence can name one."
            )
        return next(iter(best))

    def _column(self, column: str) -> pd.Series:
        one_of(f"column in {self._place}", column, list(self._table))
        return self._table[column]

    def _matching(self, keys: dict) -> pd.Series:
        matching = pd.Series(True, index=self._table.index)
        for key, wanted in keys.items():
            column = self._column(key)
            own = pd.Series(False, index=self._table.index)
            for value in wanted if isinstance(wanted, (list, tuple)) else [wanted]:
                if value == "inf" and pd.api.types.is_float_dtype(column):
                    value = float(value)
                own |= column.isna() if value is None else column == value
            matching &= own
        return matching

    def _of(self, mask: pd.Series, keys: dict, how: str = "") -> "Rows":
        said = [f"{how}{key}={value!r}" for key, value in keys.items()]
        chosen = ", ".join(filter(None, [self._chosen, *said]))
        return Rows(self._place, self._table[mask], chosen)


def kept() -> dict:
    """Read `tables.yaml`: tables by name, and the settings of the run."""
    return yaml.safe_load(KEPT.read_text(encoding="utf-8"))


class Tables:
    """The tables of a folder, each read once."""

    def __init__(self, folder: Path = FOLDER):
        self.folder = folder
        self._read: dict[str, Rows] = {}

    def rows(self, name: str, **keys) -> Rows:
        """Return the rows of a table with these keys, by its name as in `sampling/systems`."""
        if name not in self._read:
            others = (f"{SPLITS}/", f"{ATLAS}/")
            folder = HERE / "measured" if name.startswith(others) else self.folder
            path = folder / f"{name}.csv"
            if name.startswith(f"{SHIPPED}/"):  # written by no run
                path = simulated.FOLDER / f"{name.removeprefix(f'{SHIPPED}/')}.csv"
                self._read[name] = Rows(name, pd.read_csv(path))
                return self._read[name].rows(**keys) if keys else self._read[name]
            if not path.is_file():
                known = sorted(_name(found, self.folder) for found in self.folder.rglob("*.csv"))
                one_of(f"table in {self.folder.name}", name, known)
            self._read[name] = Rows(name, read_table(path))
        return self._read[name].rows(**keys) if keys else self._read[name]

    def row(self, name: str, **keys) -> Row:
        """Return the only row of a table with these keys."""
        return self.rows(name).row(**keys)

    def setting(self, key: str):
        """Return a setting of the run, such as `seed`: a number where it is one."""
        value = self.row(SETTINGS, key=key)["value"]
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number == int(number) else number


def refresh(run: Path, folder: Path = FOLDER) -> None:
    """Take the tables of `tables.yaml` from the folder of a run, which has `results/` in it."""
    results, wanted = _results(run), kept()
    specs = {name: spec or {} for name, spec in wanted["tables"].items()}
    own = {name: spec for name, spec in specs.items() if "made_by" not in spec}
    found = {name: _thinned(results, name, spec) for name, spec in own.items()}
    config = read_json(results / "manifest.json")["config"]
    pairs = [(key.removesuffix("?"), _at(config, key)) for key in wanted[SETTINGS]]
    pairs = [(key, value) for key, value in pairs if value is not None]
    found[SETTINGS] = pd.DataFrame(pairs, columns=["key", "value"], dtype=object)
    for path in [*folder.rglob("*.csv")]:
        if _name(path, folder) not in {*specs} - {*own}:
            path.unlink()
    for name, table in found.items():
        if table is not None:
            _write(table, folder / f"{name}.csv")


def refresh_splits(run: Path, folder: Path = HERE / "measured" / SPLITS) -> None:
    """Take the tables of ten splits and of other settings from the folder of their run."""
    results = _results(run)
    specs = kept()[SPLITS]
    found = {name: _thinned(results, name, spec or {}) for name, spec in specs.items()}
    for name, table in found.items():
        if table is not None:
            _write(table, folder / f"{name}.csv")


def refresh_atlas(run: Path, folder: Path = HERE / "measured" / ATLAS) -> None:
    """Take the tables across datasets from the folder of a run of config/atlas.yaml."""
    results = _results(run)
    for name, spec in kept()[ATLAS].items():
        spec = {"from": f"across/{ATLAS}/{name}.csv"} | (spec or {})
        if "made_by" not in spec:
            _write(_thinned(results, name, spec), folder / f"{name}.csv")
    config = read_json(results / "manifest.json")["config"]
    pairs = [(key, _at(config, key)) for key in kept()[f"{ATLAS}-{SETTINGS}"]]
    _write(pd.DataFrame(pairs, columns=["key", "value"]), folder / f"{SETTINGS}.csv")


def advice() -> dict:
    """Return the answer on MovieLens 1M, as far as it is kept."""
    return read_json(ADVICE)


def refresh_advice(run: Path, path: Path = ADVICE) -> None:
    """Take what a picture and a page show of the answer in the folder of a run."""
    found = read_json(run / f"results/{FOLDER.name}/advice.json")
    kept_ = {key: found[key] for key in ("data", "recommendation")}
    for key, columns in ANSWERED.items():
        kept_[key] = [{column: own[column] for column in columns} for own in found[key]]
    with atomic(path, record=False) as file:
        file.write(f"{json.dumps(kept_, indent=1)}\n".encode())
    for name in TRUE:
        if (real := run / f"results/{name}/advice.json").is_file():
            _write(_agreement(read_json(real)["measures"]), path.parent / f"{name}/answer.csv")


def _agreement(measures: list[dict]) -> pd.DataFrame:
    """Return tau of each measure with the truth of liked items, and of new ones if it is known.

    The columns are measure, tau, low, high, and new, new_low, new_high.
    """
    table = pd.DataFrame(measures).reindex(columns=["measure", *AGREEMENT])
    table = table.rename(columns=AGREEMENT)
    return table.dropna(subset="tau").dropna(axis="columns", how="all")


def _results(run: Path) -> Path:
    """Return the folder of the results of a run that is finished."""
    results = run / "results"
    if not (results / "manifest.json").is_file():
        raise RankassayError(f"{run}: expected a finished run, with results/manifest.json in it.")
    return results


def _write(table: pd.DataFrame, path: Path) -> None:
    """Write a table that git checks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(table, path)
    record_of(path).unlink(missing_ok=True)


def _name(path: Path, folder: Path) -> str:
    """Return the name of a table by its path."""
    return str(path.relative_to(folder).with_suffix(""))


def _thinned(results: Path, name: str, spec: dict) -> pd.DataFrame | None:
    """Return the rows and columns to keep of a run's table; of an optional one maybe none."""
    path = results / spec.get("from", f"{FOLDER.name}/{name}.csv")
    if not path.is_file():
        if spec.get("optional"):
            return None
        raise RankassayError(f"{name}: the run has no table {path}.")
    found = Rows(name, read_table(certified(path))).rows(**spec.get("where", {}))
    table = found._table
    columns = []
    for column in spec.get("columns", list(table)):
        if column.removesuffix("?") in table or not column.endswith("?"):
            one_of(f"column in {path}", column.removesuffix("?"), list(table))
            columns.append(column.removesuffix("?"))
    return table[columns]


def _at(config: dict, key: str):
    """Return a setting by its path, as `robustness.analyses.claims`; of a list its length."""
    value = config
    for part in key.removesuffix("?").split("."):
        if part not in value and key.endswith("?"):
            return None
        one_of(f"setting of the run, {key}", part, list(value))
        value = value[part]
    return len(value) if isinstance(value, list) else value
