"""Counters, logs and caches that are filled while tracing: they change with each trace."""

import jax
import jax.numpy as jnp

stats = {"traces": 0}
shapes = []
tables = {}
step = 0


def count():
    stats["traces"] += 1


def how_often():
    return stats["traces"]


def table(cache, size):
    if size not in cache:
        cache[size] = float(size)
    return cache[size]


@jax.jit
def scaled(x):
    count()
    shapes.append((x.shape, step))
    first = len(shapes) == 1 and how_often() == 1
    return x * table(tables, x.ndim), first


@jax.jit
def shifted(x):
    count()
    number = stats["traces"]
    with jax.named_scope(f"shifted_{number}"):
        return x + 1


class Model:
    def __init__(self):
        self.scale = 2.0
        self.log = []
        self.traces = 0
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        self.log.append(x.shape)
        self.traces += 1
        for shape in self.log:
            assert len(shape) < 3
        return x * self.scale


model = Model()
for _ in range(2):
    for shape in ((), (3,)):
        for step in range(4):
            x = jnp.full(shape, float(step))
            scaled(x)
            shifted(x)
            model.apply(x)
