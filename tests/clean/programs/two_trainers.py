"""Two objects that each jit a method of their own."""

import jax


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.rate


slow, fast = Trainer(0.1), Trainer(0.2)
for _ in range(10):
    slow.step(1.0)
    fast.step(1.0)
