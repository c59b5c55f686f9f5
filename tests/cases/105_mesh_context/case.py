import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))

@jax.jit
def f(x):
    y = x * 2
    return jax.lax.with_sharding_constraint(y, NamedSharding(mesh, P("data", "model")))

x = jnp.ones((4, 4))
f(x)
with mesh:
    f(x)
f(x)
