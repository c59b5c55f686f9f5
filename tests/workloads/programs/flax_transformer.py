"""flax nnx: a causal transformer with dropout, an `nnx.jit` train step, then a call in eval mode (a static flag)."""

import jax.numpy as jnp
import optax
from flax import nnx
from reporting import report


class Block(nnx.Module):
    def __init__(self, width, heads, rngs):
        self.attention_norm = nnx.LayerNorm(width, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(num_heads=heads, in_features=width, decode=False, rngs=rngs)
        self.mlp_norm = nnx.LayerNorm(width, rngs=rngs)
        self.widen = nnx.Linear(width, 4 * width, rngs=rngs)
        self.narrow = nnx.Linear(4 * width, width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x, mask):
        x = x + self.dropout(self.attention(self.attention_norm(x), mask=mask))
        return x + self.dropout(self.narrow(nnx.gelu(self.widen(self.mlp_norm(x)))))


class LanguageModel(nnx.Module):
    def __init__(self, vocabulary, width, depth, rngs):
        self.embed = nnx.Embed(vocabulary, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, 4, rngs) for _ in range(depth)])
        self.output = nnx.Linear(width, vocabulary, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        mask = nnx.make_causal_mask(tokens)
        for block in self.blocks:
            x = block(x, mask)
        return self.output(x)


def main():
    model = LanguageModel(31, 32, 2, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    tokens = (jnp.arange(8 * 17) % 31).reshape(8, 17)

    @nnx.jit
    def step(model, optimizer, tokens):
        def loss(model):
            logits = model(tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        value, gradient = nnx.value_and_grad(loss)(model)
        optimizer.update(model, gradient)
        return value

    losses = [float(step(model, optimizer, tokens)) for _ in range(6)]
    model.eval()
    logits = nnx.jit(lambda model, tokens: model(tokens))(model, tokens[:, :-1])
    assert losses[-1] < losses[0]
    assert logits.shape == (8, 16, 31)
    return losses[-1], {"first": losses[0]}


if __name__ == "__main__":
    report(main)
