"""jraph: a graph network on five graphs of different sizes (a trace for each), then padded to one size (one trace)."""

import jax
import jax.numpy as jnp
import jraph
import numpy as np
from reporting import report


def random_graph(nodes, edges, rng):
    return jraph.GraphsTuple(
        nodes=rng.normal(size=(nodes, 5)).astype("f"),
        edges=rng.normal(size=(edges, 3)).astype("f"),
        senders=rng.integers(0, nodes, edges),
        receivers=rng.integers(0, nodes, edges),
        n_node=np.array([nodes]),
        n_edge=np.array([edges]),
        globals=np.zeros((1, 2), "f"),
    )


def main():
    rng = np.random.default_rng(0)
    weights = jnp.asarray(rng.normal(size=(64, 8)).astype("f")) / 8

    def layer(width):
        def update(*features):
            flat = jnp.concatenate([feature.reshape(feature.shape[0], -1) for feature in features], -1)
            return jnp.tanh(flat @ weights[: flat.shape[1], :width])

        return update

    network = jraph.GraphNetwork(layer(3), layer(5), layer(2))
    graphs = [random_graph(nodes, 3 * nodes, rng) for nodes in (4, 5, 6, 7, 8)]
    runs = {"as they are": 0, "padded": 0}

    def energy(kind, graph):
        runs[kind] += 1
        return network(network(graph)).globals.sum()

    unpadded = jax.jit(lambda graph: energy("as they are", graph))
    padded = jax.jit(lambda graph: energy("padded", graph))
    values = [float(unpadded(graph)) for graph in graphs]
    for graph in graphs:
        padded(jraph.pad_with_graphs(graph, 12, 30, 2))
    assert runs == {"as they are": 5, "padded": 1}
    return sum(values), dict(runs)


if __name__ == "__main__":
    report(main)
