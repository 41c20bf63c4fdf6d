"""The shipped tables of worlds of several kinds, and the default bound of weights that they give.

    ./run python benchmarks/worlds.py
    ./run python benchmarks/worlds.py --seed 7 --folder /tmp/others    # other worlds

Made with the default settings of the analysis `validity/kinds-worlds` and the default seed, so that
a run of the workflow with these has the same tables. `kinds.csv`, `strategies.csv` and `gamma.csv`
are those of `rankassay.studies.validity.kinds_summary`, rounded; `settings.yaml` says what they
were made with, how many CPU seconds it took, and which default bound of weights follows, which
`rankassay.statistics.sensitivity.DEFAULT_GAMMA` has to be.
"""

import argparse
import time
from pathlib import Path

import yaml

import rankassay
from rankassay.config.sections import configuration
from rankassay.studies.validity import kinds_summary, kinds_worlds
from rankassay.studies.validity.settings import Kinds

REFERENCE = Path(kinds_summary.__file__).parent / "reference"
DECIMALS = 4
TABLES = ("kinds", "strategies", "gamma")


def main() -> None:
    """Draw the worlds, write the tables, and say which bound follows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=configuration()().seed)
    parser.add_argument("--worlds", type=int, default=Kinds().worlds, help="of a kind in each half")
    parser.add_argument("--folder", type=Path, default=REFERENCE)
    given = parser.parse_args()
    settings = Kinds(worlds=given.worlds).model_dump()
    began = time.process_time()
    worlds = kinds_worlds.run(given.seed, **settings)
    seconds = round(time.process_time() - began)
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        table = getattr(kinds_summary, name)(worlds)
        table.round(DECIMALS).to_csv(given.folder / f"{name}.csv", index=False)
    bound, keeps = kinds_summary.default_gamma(kinds_summary.gamma(worlds))
    said = {"version": rankassay.__version__, "seed": given.seed, **settings}
    said |= {"cpu_seconds": seconds, "default_gamma": bound, "keeps_to_the_shares": keeps}
    text = yaml.safe_dump(said, sort_keys=False, default_flow_style=None, width=100)
    (given.folder / "settings.yaml").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
