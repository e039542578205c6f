"""Dependency order (a topological sort), and the cycles that prevent one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def arrange(graph: Mapping[str, Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """All keys of `graph`, each after the keys it maps to; and the cycles, each from the key where it was entered.

    It does not recurse, because a chain may be as long as the file.
    """
    order: list[str] = []
    cycles: list[list[str]] = []
    state: dict[str, bool] = {}  # True while the keys below it are being visited
    for root in graph:
        if root in state:
            continue
        path = [root]
        stack: list[Iterator[str]] = [iter(graph[root])]
        state[root] = True
        while stack:
            below = next((n for n in stack[-1] if n in graph), None)
            if below is None:
                stack.pop()
                order.append(path.pop())
                state[order[-1]] = False
            elif below not in state:
                path.append(below)
                stack.append(iter(graph[below]))
                state[below] = True
            elif state[below]:
                cycles.append(path[path.index(below) :])
    return order, cycles
