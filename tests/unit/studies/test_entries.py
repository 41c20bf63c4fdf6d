"""What studies say of themselves holds for the code that they name."""

import inspect
import re
import subprocess
import sys

from each import each

from rankassay.lookup import load, module_of, names_of_parameters
from rankassay.studies import ANALYSES, FIGURES, STUDIES, TABLES
from rankassay.studies.entries import READABLE

GIVEN = {"dataset", "seed", "evaluation"}
ACROSS = {"runs"}  # what an analysis of all datasets gets, too


def parameters(target):
    """Return the parameters of a function, and whether it takes any others."""
    found = inspect.signature(load(target)).parameters.values()
    named = {p.name: p for p in found if p.kind is not p.VAR_KEYWORD}
    return named, any(p.kind is p.VAR_KEYWORD for p in found)


@each("name", ANALYSES)
def test_what_is_read_from_the_source_is_what_python_has(name):
    entry = ANALYSES[name]
    function = load(entry.function)
    named, others = parameters(entry.function)
    assert entry.replicated == ("Replicated" in str(inspect.signature(function).return_annotation))
    taken = names_of_parameters(function)
    if entry.valuation:  # which is its first parameter, and takes what it names itself
        assert not others
        taken |= names_of_parameters(load(entry.valuation))
    assert {*entry.parameters} <= taken | {"cls"}
    declared = {*entry.inputs, *entry.settled}
    assert declared <= taken or others
    missing = {p.name for p in named.values() if p.default is p.empty} - declared - {"valuation"}
    assert missing <= (GIVEN | ACROSS if entry.across else GIVEN)
    assert ("evaluation" in taken) == bool(entry.evaluation)
    assert {*entry.evaluation} <= {*READABLE}


@each("name", ANALYSES)
def test_a_default_stands_in_the_settings_alone(name):
    entry = ANALYSES[name]
    if module_of(entry.function).startswith("rankassay.studies."):
        named, _ = parameters(entry.function)
        own = named.keys() & entry.model.model_fields.keys()
        assert {key for key in own if named[key].default is not named[key].empty} == set()


@each("name", ANALYSES)
def test_inputs_exist(name):
    known = {*ANALYSES, "train", "test", "rankings", "scores", "ratings", "aspects", "claims"}
    known |= {"statistics", "fidelity", "split/summary", "split/propensities"}
    known |= {"truth", "propensities", "means", "replicates", "attributes"}
    for artifact in ANALYSES[name].inputs.values():
        folder = STUDIES[name.partition("/")[0]].folder
        assert artifact in known or (folder / f"{artifact}.csv").is_file()


@each("name", ANALYSES)
def test_settings_that_are_borrowed_exist(name):
    entry = ANALYSES[name]
    assert {*entry.borrows.values()} <= {*ANALYSES}
    assert not {*entry.borrows} & {*entry.inputs, *entry.model.model_fields}


@each("name", TABLES)
def test_a_table_takes_its_inputs(name):
    named, _ = parameters(TABLES[name].function)
    needed = {own.name for own in named.values() if own.default is own.empty}
    # A result that is misnamed would be nobody's, and the table not be made.
    others = {"cutoff", "titles", "n_systems", "published"} - {*TABLES[name].inputs}
    assert needed - others <= {*TABLES[name].inputs} <= {*named}
    assert {*TABLES[name].inputs.values()} <= {
        *ANALYSES,
        "statistics",
        "split/summary",
        "split/filter",
    }


def test_a_figure_and_a_table_of_one_name_have_one_caption():
    for name, table in TABLES.items():
        assert not table.caption or name not in FIGURES, name
    for entry in (*FIGURES.values(), *filter(None, (t.caption for t in TABLES.values()))):
        assert getattr(entry, "caption", entry).endswith((".", "?"))


@each(("name", "entry"), [*ANALYSES.items(), *FIGURES.items(), *TABLES.items()])
def test_code_is_found_by_its_name(name, entry):
    """An analysis, figure or table is a function of its name, or the module of its name.

    Or it is a function of `rankassay.statistics`, which no study has for itself.
    """
    module, _, function = entry.function.rpartition(":")
    shown = {name.rpartition("/")[2], getattr(entry, "analysis", "")}
    shown |= {*getattr(entry, "inputs", ())} if name in TABLES else set()
    words = {re.sub(r"\W", "_", word) for word in shown}
    function = function.removesuffix("_table")
    found = {function, module.rpartition(".")[2], f"{module.rpartition('.')[2]}_{function}"}
    general = module.startswith("rankassay.statistics.")
    assert words & found or general, f"{name}: {entry.function}"


def test_a_study_is_a_folder():
    for study in STUDIES.values():
        assert (study.folder / "study.py").is_file()
        judges = any(entry.judges for entry in study.analyses.values())
        assert study.claims.is_file() == judges, study.name
        assert study.title.endswith((".", "?"))


def test_reading_results_and_completion_need_no_models_of_settings():
    """They serve where the core alone is installed, which pydantic is no part of."""
    code = "import sys; sys.modules['pydantic'] = None\n"
    code += "import rankassay.api.results, rankassay.cli.completion, rankassay.config.cutoffs\n"
    code += "metrics = {'cutoffs': [10]}\n"
    code += "analyses = {'sparsity': {'cutoffs': [5, 10]}}\n"
    code += "config = {'metrics': metrics, 'goals': {'analyses': analyses}}\n"
    code += "print(rankassay.config.cutoffs.possible(config, 'goals'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[5, 10]\n"
