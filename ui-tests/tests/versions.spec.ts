import { expect, openNotebook, output, test, traces } from './lab';

const CELL = `%%jaxtrace
import jax
jax.jit(lambda x: x + 1)(1.0)`;

/** Loads a copy of our package that speaks another form. */
const load = (schema: number): string =>
  `import importlib.util, pathlib, shutil, sys, tempfile
ours = pathlib.Path(importlib.util.find_spec("jax_trace_viz").origin).parent
folder = tempfile.TemporaryDirectory()
other = pathlib.Path(folder.name, "jax_trace_viz")
shutil.copytree(ours, other, ignore=shutil.ignore_patterns("labextension", "__pycache__"))
form = other / "contract" / "__init__.py"
form.write_text(form.read_text().replace("SCHEMA_VERSION = 1", "SCHEMA_VERSION = ${schema}"))
sys.path.insert(0, folder.name)
%load_ext jax_trace_viz`;

test('one sentence says which of two packages to upgrade; the rest works on', async ({
  page,
  tmpPath
}) => {
  const where = (name: string): string =>
    `${tmpPath}/${name}.ipynb`;
  await test.step('the kernel has the newer one', async () => {
    const panel = await openNotebook(page, where('newer'), [load(99), CELL]);
    await page.notebook.runCell(0);
    await expect(panel.getByRole('status')).toContainText(
      "is newer than JupyterLab's: upgrade jax-trace-viz where JupyterLab is installed"
    );
    await expect(panel.getByRole('checkbox').first()).toBeDisabled();
    await page.notebook.runCell(1, true);
    // The words and the picture that stand in the same output need no reader of ours.
    await expect(output(page, 1)).toContainText('<lambda> was traced once');
    await expect(output(page, 1).getByRole('img').first()).toBeVisible();
    await page.notebook.close();
  });

  await test.step('JupyterLab has the newer one', async () => {
    const panel = await openNotebook(page, where('older'), [load(0), CELL]);
    await page.notebook.runCell(0);
    await expect(panel.getByRole('status').first()).toContainText(
      "is older than JupyterLab's: upgrade jax-trace-viz where the kernel runs"
    );
    await page.notebook.runCell(1, true);
    await expect.poll(() => traces(panel, '<lambda>')).toBe(1);
    await expect.poll(() => traces(output(page, 1), '<lambda>')).toBe(1);
  });
});
