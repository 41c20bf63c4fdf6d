import numpy as np
import pytest
import scipy.sparse as sp

from rankassay.artifacts import yaml_files
from rankassay.lookup import load
from rankassay.recommenders.catalogue import RECOMMENDERS, SEEDED

CATALOGUE = "config/recommenders.yaml"


@pytest.fixture(scope="module")
def train():
    random = np.random.default_rng(5)
    cells = random.random((40, 30)) < 0.3
    cells[np.arange(30), np.arange(30)] = True
    return sp.csr_matrix((cells * random.integers(1, 6, cells.shape)).astype(np.float32))


SMALL = {"factors": 3, "topics": 3, "neighbours": 5, "epochs": 3, "iterations": 5}


@pytest.mark.slow
@pytest.mark.parametrize("method", RECOMMENDERS)
def test_only_seeded_methods_depend_on_the_seed(method, train, request):
    catalogue = yaml_files.read(request.config.rootpath / CATALOGUE)["recommender_catalogue"]
    settings = next(
        (own.get("settings", {}) for own in catalogue.values() if own["method"] == method), {}
    )
    settings = {name: SMALL.get(name, value) for name, value in settings.items()}
    users = np.arange(40, dtype=np.int32)
    first, second = (
        load(RECOMMENDERS[method])(**settings).fit(train, seed).score(users) for seed in (1, 2)
    )
    same = first.tobytes() == second.tobytes()
    # What is listed as drawing may come to the same; what is not must be the same to the bit.
    assert same == (method not in SEEDED) or method == "puresvd"
