"""The inner loops of alternating least squares: one small system of equations for every row."""

import numpy as np

from rankassay.kernels import njit

CHUNK = 128  # ratings per matrix product: beyond, BLAS takes longer for each


@njit
def solve_rows(pattern, entries, factors, scale, penalties):
    """Return x = (scale Y^T Y + sum_k w_k^2 y_k y_k^T + penalty I)^-1 sum_k t_k y_k of each row.

    k goes over the entries of the row in `pattern`, indptr and indices, w and t are the `entries`,
    and y_k is the row of the factors Y that belongs to the column of the entry. A row without
    entries gets zeros. Where a system is not positive definite to the last bit, its row gets NaN.
    By Cholesky decomposition: n_factors^2 multiplications an entry and n_factors^3 / 6 a row.
    """
    (indptr, indices), (weights, targets) = pattern, entries
    n_factors = factors.shape[1]
    shared = scale * (factors.T @ factors)
    solution = np.zeros((len(indptr) - 1, n_factors))
    # The right side is one more column, and the rest lets all loops take four at once.
    size = (n_factors // 4 + 1) * 4
    system = np.empty((size, size))
    scaled, product = np.empty((CHUNK, n_factors)), np.empty((n_factors, n_factors))
    for row in range(len(indptr) - 1):
        first, last = indptr[row], indptr[row + 1]
        if first == last:
            continue
        system[:] = 0.0
        for f in range(n_factors):
            for g in range(n_factors):
                system[f, g] = shared[f, g]
            system[f, f] += penalties[row]
        for at in range(first, last, CHUNK):
            end = min(at + CHUNK, last)
            chosen = (indices[at:end], weights[at:end], targets[at:end])
            _add(system, factors, chosen, scaled[: end - at], product)
        _decompose(system, n_factors)
        _substitute(system, solution[row])
    return solution


@njit
def _add(system, factors, chosen, scaled, product):
    """Add entries to the left and right side; `scaled` and `product` are scratch."""
    columns, weights, targets = chosen
    n = len(product)
    right = np.zeros(n)
    for k in range(len(columns)):
        y, out = factors[columns[k]], scaled[k]
        weight, target = weights[k], targets[k]
        for f in range(n):
            out[f] = weight * y[f]
            right[f] += target * y[f]
    np.dot(scaled.T, scaled, product)
    for f in range(n):
        to, new = system[f], product[f]
        for g in range(n):
            to[g] += new[g]
        to[n] += right[f]


@njit
def _decompose(a, n):
    """Replace the upper triangle A of n rows by U of A = U^T U, and the column b by U^-T b.

    The diagonal is left inverted. What is right of b and below the n rows means nothing.
    """
    for k in range(0, n, 4):
        for p in range(k, min(k + 4, n)):
            a[p, p] = inverse = 1.0 / np.sqrt(a[p, p]) if a[p, p] > 0 else np.nan
            u = a[p, p + 1 :]
            for j in range(len(u)):
                u[j] *= inverse
            for q in range(p + 1, k + 4):
                times, u, b = a[p, q], a[p, q:], a[q, q:]
                for j in range(len(b)):
                    b[j] -= times * u[j]
        # Four rows are taken off two others at once, so that less is loaded and stored. Slices,
        # since indices that might be negative would keep the compiler from vectorising.
        for i in range(k + 4, n, 2):
            b0, b1, b2, b3 = a[k, i], a[k + 1, i], a[k + 2, i], a[k + 3, i]
            c0, c1, c2, c3 = a[k, i + 1], a[k + 1, i + 1], a[k + 2, i + 1], a[k + 3, i + 1]
            start = i - i % 4
            b, c = a[i, start:], a[i + 1, start:]
            u, v, w, x = a[k, start:], a[k + 1, start:], a[k + 2, start:], a[k + 3, start:]
            for j in range(len(b)):
                b[j] -= (b0 * u[j] + b1 * v[j]) + (b2 * w[j] + b3 * x[j])
                c[j] -= (c0 * u[j] + c1 * v[j]) + (c2 * w[j] + c3 * x[j])


@njit
def _substitute(a, x):
    """Solve U x = b with the factors of `_decompose`."""
    n = len(x)
    for k in range(n - 1, -1, -1):
        u, known = a[k, k + 1 : n], x[k + 1 :]
        total = a[k, n]
        for j in range(len(u)):
            total -= u[j] * known[j]
        x[k] = total * a[k, k]
