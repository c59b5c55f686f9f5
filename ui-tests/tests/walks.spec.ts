import type { Locator } from '@playwright/test';
import { expect, graph, openGraph, output, test } from './lab';

const TRANSFORMER = `%%jaxtrace
import flax.linen as nn, jax, jax.numpy as jnp, optax

class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(num_heads=4)(h, h)
        h = nn.gelu(nn.Dense(256)(nn.LayerNorm()(x)))
        return x + nn.Dense(64)(h)

class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(100, 64)(tokens)
        for _ in range(12):
            x = Block()(x)
        return nn.Dense(100)(nn.LayerNorm()(x))

model, opt = Transformer(), optax.adam(1e-3)

@jax.jit
def train_step(params, opt_state, tokens):
    def loss_fn(params):
        logits = model.apply(params, tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = opt.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss

tokens = jax.ShapeDtypeStruct((2, 16), int)
params = jax.eval_shape(model.init, jax.random.key(0), tokens)
lowered = train_step.lower(params, jax.eval_shape(opt.init, params), tokens)`;

/** Clicks as a person does, and counts the clicks. */
class Walker {
  clicks = 0;

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** The heading of an open group, which no line crosses: its middle is covered by what is inside. */
  async clickHeading(picture: Locator, name: string): Promise<void> {
    this.clicks += 1;
    const heading = picture.locator('.jtv-headings text', { hasText: name });
    await heading.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, height = 0 } = (await heading.boundingBox()) ?? {};
    await picture.page().mouse.click(x + 20, y + height / 2);
    // On to the list, and off the boxes that scrolled below the pointer: what it rests on would be told.
    await picture.page().mouse.move(0, 0);
  }

  /** Opening a list and choosing from it are two clicks. */
  async choose(list: Locator, words: RegExp): Promise<void> {
    this.clicks += 2;
    const labels = await list.locator('option').allInnerTexts();
    await list.selectOption({ label: labels.find(one => words.test(one)) });
  }
}

test.beforeEach(async ({ page, tmpPath }) => {
  test.setTimeout(180_000);
  const cells = ['%load_ext jax_trace_viz', TRANSFORMER];
  await openGraph(page, `${tmpPath}/walks.ipynb`, cells, 'train_step');
});

test('from a transformer to what a person looks for in it', async ({
  page
}) => {
  const shown = output(page, 1);
  const picture = graph(shown, 'train_step');
  const walk = new Walker();

  await test.step('the attention of layer 7 in the backward pass', async () => {
    const blocks = picture.getByRole('button', { name: /^Block_11…0 ×12/ });
    await walk.clickHeading(picture, 'Block_11…0 ×12');
    await expect(blocks).toHaveAttribute('aria-pressed', 'true');
    await walk.choose(shown.getByRole('combobox', { name: 'Copy' }), /Block_7$/);
    await expect(blocks).toHaveAccessibleName(/copy 5 shown: Block_7/);
    const attention = picture.locator(
      '[data-box*="/Block_11/"][aria-label^="MultiHeadDotProductAttention_0"]'
    );
    await expect(attention).toHaveAttribute('aria-expanded', 'true');
    await expect(attention).toBeVisible();
    expect(walk.clicks).toBeLessThan(4);
  });

  await test.step('what the forward pass saves, and who uses it', async () => {
    const saved = picture.getByRole('button', { name: /^\d+ values saved/ });
    await saved.locator('text').click();
    await expect(saved).toHaveAttribute('aria-pressed', 'true');
    const values = shown.getByRole('table', { name: /^\d+ values saved/ });
    const first = values.getByRole('row').nth(1);
    await expect(first).toContainText('f32[2,16,256] ×12');
    const [made, used] = [first.getByRole('button').first(), first.getByRole('button').last()];
    await expect(made).toHaveText('h = nn.gelu');
    await used.click();
    const box = picture.getByRole('button', { pressed: true });
    await expect(box).toHaveAccessibleName(/^Dense_1, 6 equations/);
    await expect(box).toBeInViewport();
  });

  await test.step('what a thick line carries, by keyboard', async () => {
    await picture.getByRole('button', { name: /^params, / }).click();
    await page.keyboard.press('ArrowDown');
    const line = picture.locator('[data-edge]:focus');
    await expect(line).toHaveAccessibleName(/^\d+ values: params → /);
    await page.keyboard.press('Enter');
    const values = shown.getByRole('table', { name: /values: params → / });
    await expect(values).toContainText(/params\['Block_\d+…\d+'\]\['Dense_\d'\]\['kernel'\]/);
    await values.getByRole('button', { name: 'params' }).first().click();
    await expect(picture.getByRole('button', { pressed: true })).toHaveAccessibleName(
      /^params, /
    );
  });

  await test.step('a closed group, by its plus', async () => {
    const closed = picture.locator('[data-box][aria-expanded=false]').first();
    const id = (await closed.getAttribute('data-box')) ?? '';
    const group = picture.locator(`[data-box="${id}"]`);
    const sign = picture.locator(`[data-disclose="${id}"]`);
    await sign.click();
    await expect(group).toHaveAttribute('aria-expanded', 'true');
    await expect(picture.locator(`[data-box^="${id}/"]`)).not.toHaveCount(0);
    await sign.click();
    await expect(group).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step('a parameter, to its update', async () => {
    walk.clicks = 0;
    await shown
      .getByRole('searchbox', { name: 'Search all equations' })
      .fill("params['Dense_0']['kernel']");
    const matches = shown.getByRole('list', { name: 'Matches' });
    await walk.click(matches.getByRole('button', { name: /apply_updates/ }));
    const update = picture.getByRole('button', { pressed: true });
    await expect(update).toHaveAccessibleName(/add ×197.*copy 194 shown/);
    await expect(update).toBeInViewport();
    const copy = shown.getByRole('spinbutton', { name: /^Copy/ });
    await expect(copy).toHaveValue('194');
    expect(walk.clicks).toBe(1);
  });
});
