# What the rules look up about the grids of settings. Only the targets of tuning call these, so
# that all others are planned without the modules and the files of every point.


def tuning_grid(recommender):
    """Return the values to try of each of a recommender's settings; empty if there are none."""
    grid = config["tuning"]["grids"].get(recommender) or {}
    return {setting: values for setting, values in grid.items() if values is not None}


def tuned_recommenders():
    """Return the configured recommenders that have a grid."""
    return [name for name in config["recommenders"] if tuning_grid(name)]


@functools.cache
def tuning_points(recommender):
    """Return the points of a recommender's grid by the names of their files, in its order."""
    from assayer.tuning.grid import points
    import pandas as pd
    from snakemake.utils import Paramspace

    grid = points(tuning_grid(recommender))
    # The values go into the names as they are: a table of objects changes no 1 to 1.0.
    space = Paramspace(pd.DataFrame(grid, dtype=object), single_wildcard="point")
    return dict(zip(space.instance_patterns, grid))


def tuning_outputs(wildcards):
    """Return the best points of every configured dataset, and the figures of their grids."""
    recommenders = tuned_recommenders()
    if not recommenders:
        return []
    chosen = expand("results/{dataset}/tuning/chosen.yaml", dataset=config["datasets"])
    figures = expand(
        "figures/tuning/{dataset}/{recommender}.pdf",
        dataset=config["datasets"],
        recommender=recommenders,
    )
    return chosen + figures


def point_settings(wildcards):
    """Return all settings of a recommender at one point of its grid, as JSON."""
    point = registry.find("point", wildcards.point, tuning_points(wildcards.recommender))
    settings = json.loads(recommender_spec(wildcards, "settings")) | point
    return json.dumps(settings, sort_keys=True)


def tuning_seed(wildcards):
    """Return the seed of all points on one dataset: they differ in their settings only."""
    return derive(config["seed"], wildcards.dataset, "tuning")


def tuning_evaluation(wildcards):
    """Return what scoring a point needs to know, as JSON."""
    return json.dumps(
        {
            "threshold": dataset_entry(wildcards.dataset)["threshold"],
            "measure": config["tuning"]["measure"],
            "profile": config["metrics"]["profile"],
        }
    )


def tuning_code(wildcards):
    """Return the code of the stage that scores a point, of its recommender and of the measure."""
    method = config["recommender_catalogue"][wildcards.recommender]["method"]
    metric = registry.metric(registry.bare(config["tuning"]["measure"]))
    return stage_code("tune", registry.recommender(method), metric)


def point_paths(wildcards):
    """Return the scores of all points of a recommender's grid, in its order."""
    folder = f"results/{wildcards.dataset}/tuning/{wildcards.recommender}"
    return [f"{folder}/{point}.csv" for point in tuning_points(wildcards.recommender)]


def tuning_title(wildcards):
    """Return the title of the figure of a recommender's grid."""
    label = config["recommender_catalogue"][wildcards.recommender]["label"]
    return f"{label} · {dataset_title(wildcards.dataset)}"


def tuning_tables(wildcards):
    """Return the ordered points of all recommenders on a dataset."""
    return [f"results/{wildcards.dataset}/tuning/{name}.csv" for name in tuned_recommenders()]


def tuning_arguments(wildcards, input):
    """Return NAME=PATH for the ordered points of all recommenders, quoted for the shell."""
    return named_arguments(tuned_recommenders(), input.tables)


def tuning_grids(wildcards):
    """Return the grids of all configured recommenders, as JSON."""
    return json.dumps({name: tuning_grid(name) for name in tuned_recommenders()})
