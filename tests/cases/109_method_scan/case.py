import jax, jax.numpy as jnp

class Kalman:
    def __init__(self, q):
        self.q = q
        self.F = jnp.eye(2)

    def predict(self, x):
        F = self.F
        return F @ x

    def update(self, carry, z):
        x, p = carry
        xp = self.predict(x)
        gain = p / (p + self.q)
        x = xp + gain * (z - xp)
        p = (1 - gain) * p
        return (x, p), xp

    def run(self, zs):
        init = (jnp.zeros(2), 1.0)
        (x, p), hist = jax.lax.scan(self.update, init, zs)
        return x, hist

k = Kalman(0.5)
run = jax.jit(k.run)
run(jnp.ones((4, 2)))
run(jnp.ones((4, 2)))
run(jnp.ones((5, 2)))
