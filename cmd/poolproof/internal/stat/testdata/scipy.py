"""Writes scipy.json, the figures of SciPy and NumPy that scipy_test.go compares
this package with. To write it again, in this directory:

    dir=$(mktemp -d) && python3 -m venv $dir && $dir/bin/pip install scipy
    $dir/bin/python scipy.py
"""

import itertools
import json
import os
import sys

# This file is named scipy.py: without this it would import itself.
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]

import numpy as np  # noqa: E402
import scipy  # noqa: E402
from scipy import stats  # noqa: E402

rng = np.random.default_rng(20260101)


def hodges_lehmann(d):
    means = [(d[i] + d[j]) / 2 for i, j in itertools.combinations_with_replacement(range(len(d)), 2)]
    return float(np.median(means))


def jackknife(old, new, groups=10):
    d = np.log(new / old)
    g = min(groups, len(d))
    edges = [j * len(d) // g for j in range(g + 1)]
    parts = np.array([np.median(np.concatenate([d[:a], d[b:]])) for a, b in zip(edges, edges[1:])])
    return float(np.sqrt((g - 1) / g * np.sum((parts - parts.mean()) ** 2)))


quantiles = [
    {"p": p, "df": df, "t": float(stats.t.ppf(p, df))}
    for p in (0.9, 0.95, 0.975, 0.9925, 0.995, 0.9995, 0.51, 0.025, 0.0075)
    for df in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 23, 31, 63, 999)
]

samples = []
for n in (2, 3, 4, 5, 8, 12, 32):
    for scale in (0.001, 0.05):
        d = rng.normal(0.01, scale, n)
        intervals = []
        for alpha in (0.05, 0.015, 0.010):
            lo, hi = stats.t.interval(1 - alpha, n - 1, loc=d.mean(), scale=stats.sem(d))
            intervals.append({"alpha": alpha, "lo": float(lo), "hi": float(hi)})
        samples.append(
            {
                "d": d.tolist(),
                "mean": float(d.mean()),
                "sd": float(d.std(ddof=1)),
                "median": float(np.median(d)),
                "hl": hodges_lehmann(d),
                "intervals": intervals,
            }
        )

launches = []
for n in (10, 16, 37, 100, 200):
    old = np.round(rng.lognormal(np.log(1e6), 0.05, n))
    new = np.round(old * rng.lognormal(0.03, 0.02, n))
    launches.append(
        {
            "old": old.astype(int).tolist(),
            "new": new.astype(int).tolist(),
            "median": float(np.median(np.log(new / old))),
            "sums": float(np.log(new.sum() / old.sum())),
            "se": jackknife(old, new),
        }
    )

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scipy.json"), "w") as f:
    json.dump(
        {"scipy": scipy.__version__, "numpy": np.__version__, "quantiles": quantiles, "samples": samples, "launches": launches},
        f,
        indent=None,
        separators=(",", ":"),
    )
    f.write("\n")
