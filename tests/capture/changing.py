"""Programs that read something from outside, and what changes it."""

CHANGES = {
    "global number": (
        "w = 12.0\n@jax.jit\ndef f(x):\n    return x * w\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program still uses 12.0.",
    ),
    "global text": (
        "mode = 'up'\n@jax.jit\ndef f(x):\n    return x if mode == 'up' else -x\n",
        "mode = 'down'",
        "`mode` changed 'up' → 'down' after `f` was traced; the cached program was made with 'up'.",
    ),
    "dtype": (
        "dtype = jnp.float32\n@jax.jit\ndef f(x):\n    return x.astype(dtype)\n",
        "dtype = jnp.bfloat16",
        "`dtype` changed float32 → bfloat16 after `f` was traced; the cached program was made with float32.",
    ),
    "another array": (
        "w = jnp.ones(3)\n@jax.jit\ndef f(x):\n    return (x * w).sum()\n",
        "w = jnp.zeros(4)",
        "`w` became another array (f32[3] → f32[4]) after `f` was traced; "
        "the cached program still uses the earlier one.",
    ),
    "NumPy array in place": (
        "w = np.ones(3, np.float32)\n@jax.jit\ndef f(x):\n    return (x * w).sum()\n",
        "w[1] = 7",
        "`w` (f32[3]) was changed in place after `f` was traced; the cached program still has the earlier contents.",
    ),
    "item": (
        "cfg = {'lr': 0.1, 'log': 1}\n@jax.jit\ndef f(x):\n    return x * cfg['lr']\n",
        "cfg['lr'] = 0.2; cfg['log'] = 2",
        "`cfg['lr']` changed 0.1 → 0.2 after `f` was traced; the cached program still uses 0.1.",
    ),
    "container": (
        "sizes = [1, 2]\n@jax.jit\ndef f(x):\n    return x * sum(sizes)\n",
        "sizes.append(3)",
        "`sizes` changed [1, 2] → [1, 2, 3] after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "number after a branch and in a loop": (
        "w = 12.0\n@jax.jit\ndef f(x):\n    if x.ndim:\n        x = x + 1\n    for i in range(3):\n"
        "        x = x * w\n    return x\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program still uses 12.0.",
    ),
    "closure": (
        "def make():\n    c = 5.0\n    @jax.jit\n    def f(x):\n        return x * c\n"
        "    def change():\n        nonlocal c\n        c = 1.0\n    return f, change\nf, change = make()\n",
        "change()",
        "`c` changed 5.0 → 1.0 after `f` was traced; the cached program still uses 5.0.",
    ),
    "attribute of self": (
        "class Model:\n    def __init__(self):\n        self.scale = 2.0\n    def step(self, x):\n"
        "        return x * self.scale\nmodel = Model()\nf = jax.jit(model.step)\n",
        "model.scale = 9.0",
        "`self.scale` changed 2.0 → 9.0 after `step` was traced; the cached program still uses 2.0.",
    ),
    "array of a static object": (
        "class Box:\n    def __init__(self, data):\n        self.data = data\n"
        "jax.tree_util.register_pytree_node(Box, lambda b: ((b.data,), None), lambda _, c: Box(*c))\n"
        "box = Box(jnp.ones(3))\n"
        "def read(box, x):\n    d = box.data\n    return d + x\nread = jax.jit(read, static_argnums=0)\n"
        "f = lambda x: read(box, x)\n",
        "box.data = jnp.zeros(3)",
        "`box.data` became another array (f32[3]) after `read` was traced; "
        "the cached program still uses the earlier one.",
    ),
    "helper": (
        "def helper(x):\n    return x + 1\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "def helper(x):\n    return x + 2\n",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "inside a loop's body": (
        "w = 12.0\ndef body(c, x):\n    return c * w, x\n@jax.jit\ndef f(x):\n"
        "    return jax.lax.scan(body, x, jnp.arange(3.0))\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program was made with 12.0.",
    ),
    "NumPy array of 64 bits in place": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return (x * jnp.asarray(w)).sum()\n",
        "w[1] = 7",
        "`w` (f64[3]) was changed in place after `f` was traced; the cached program still has the earlier contents.",
    ),
    "element of a NumPy array": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return x * w[1]\n",
        "w[1] = 7",
        "`w[1]` changed 1.0 → 7.0 after `f` was traced; the cached program still uses 1.0.",
    ),
    "get": (
        "cfg = {'lr': 0.5}\n@jax.jit\ndef f(x):\n    return x * cfg.get('lr', 1.0)\n",
        "cfg['lr'] = 0.25",
        "`cfg.get('lr')` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "get of what is not there yet": (
        "cfg = {}\n@jax.jit\ndef f(x):\n    return x * cfg.get('lr', 1.0)\n",
        "cfg['lr'] = 0.25",
        "`cfg.get('lr')` changed None → 0.25 after `f` was traced; the cached program was made with None.",
    ),
    "get of what is gone": (
        "cfg = {'lr': 0.5}\n@jax.jit\ndef f(x):\n    return x * cfg.get('lr', 1.0)\n",
        "del cfg['lr']",
        "`cfg.get('lr')` changed 0.5 → None after `f` was traced; the cached program still uses 0.5.",
    ),
    "getattr": (
        "class Cfg: pass\ncfg = Cfg()\ncfg.lr = 0.5\n@jax.jit\ndef f(x):\n    return x * getattr(cfg, 'lr')\n",
        "cfg.lr = 0.25",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "slot": (
        "class Cfg:\n    __slots__ = ('lr',)\ncfg = Cfg()\ncfg.lr = 0.5\n@jax.jit\ndef f(x):\n    return x * cfg.lr\n",
        "cfg.lr = 0.25",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "class": (
        "class Cfg:\n    lr = 0.5\n@jax.jit\ndef f(x):\n    return x * Cfg.lr\n",
        "Cfg.lr = 0.25",
        "`Cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "named tuple": (
        "import collections\nCfg = collections.namedtuple('Cfg', 'lr n')\ncfg = Cfg(0.5, 1)\n@jax.jit\n"
        "def f(x):\n    return x * cfg.lr\n",
        "cfg = Cfg(0.25, 1)",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "enumeration": (
        "import enum\nMode = enum.Enum('Mode', 'up down')\nmode = Mode.up\n@jax.jit\ndef f(x):\n"
        "    return x if mode is Mode.up else -x\n",
        "mode = Mode.down",
        "`mode` changed Mode.up → Mode.down after `f` was traced; the cached program was made with Mode.up.",
    ),
    "items of a dict": (
        "rates = {'a': 2.0}\n@jax.jit\ndef f(x):\n    for name, rate in rates.items():\n        x = x * rate\n"
        "    return x\n",
        "rates['a'] = 3.0",
        "`rates` changed {'a': 2.0} → {'a': 3.0} after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "length": (
        "sizes = [1, 2]\n@jax.jit\ndef f(x):\n    return x * len(sizes)\n",
        "sizes.append(3)",
        "`len(sizes)` changed 2 → 3 after `f` was traced; the cached program still uses 2.",
    ),
    "arrays in a list": (
        "ws = [jnp.ones(3), jnp.ones(3)]\n@jax.jit\ndef f(x):\n    for w in ws:\n        x = x * w\n"
        "    return x.sum()\n",
        "ws[1] = jnp.zeros(3)",
        "`ws[1]` became another array (f32[3]) after `f` was traced; the cached program still uses the earlier one.",
    ),
    "default of a helper": (
        "def helper(x, by=2.0):\n    return x * by\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "def helper(x, by=3.0):\n    return x * by\n",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "closure of a helper": (
        "def make(by):\n    return lambda x: x * by\nhelper = make(2.0)\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = make(3.0)",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "partial": (
        "import functools\ndef scale(x, by):\n    return x * by\nhelper = functools.partial(scale, by=2.0)\n"
        "@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = functools.partial(scale, by=3.0)",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "item by a variable": (
        "cfg, name = {'a': 0.5, 'b': 4.0}, 'a'\n@jax.jit\ndef f(x):\n    return x * cfg[name]\n",
        "cfg['a'] = 0.25; cfg['b'] = 5.0",
        "`cfg['a']` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "environment": (
        "import os\nos.environ['JTV_RATE'] = '2'\n@jax.jit\ndef f(x):\n    return x * float(os.environ['JTV_RATE'])\n",
        "os.environ['JTV_RATE'] = '3'",
        "`os.environ['JTV_RATE']` changed '2' → '3' after `f` was traced; the cached program was made with '2'.",
    ),
    "environment by get": (
        "from os import environ\nenviron['JTV_RATE'] = '2'\n@jax.jit\ndef f(x):\n"
        "    return x * float(environ.get('JTV_RATE', '1'))\n",
        "environ['JTV_RATE'] = '3'",
        "`environ.get('JTV_RATE')` changed '2' → '3' after `f` was traced; the cached program was made with '2'.",
    ),
    "environment that is not set yet": (
        "import os\nos.environ.pop('JTV_RATE', None)\n@jax.jit\ndef f(x):\n"
        "    return x * float(os.getenv('JTV_RATE', '1'))\n",
        "os.environ['JTV_RATE'] = '3'",
        "`os.getenv('JTV_RATE')` changed None → '3' after `f` was traced; the cached program was made with None.",
    ),
    "environment by getenv": (
        "import os\nos.environ['JTV_RATE'] = '2'\n@jax.jit\ndef f(x):\n    return x * float(os.getenv('JTV_RATE'))\n",
        "os.environ['JTV_RATE'] = '3'",
        "`os.getenv('JTV_RATE')` changed '2' → '3' after `f` was traced; the cached program was made with '2'.",
    ),
    "NumPy array that NumPy computes with": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return x * np.sqrt(w).sum()\n",
        "w[1] = 7",
        "`w` (f64[3]) was changed in place after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "another NumPy array with a method": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return x * w.sum()\n",
        "w = np.arange(4.0)",
        "`w` became another array (f64[3] → f64[4]) after `f` was traced; "
        "the cached program was made with the earlier one.",
    ),
    "NumPy array and a literal": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return (x + 2 * w).sum()\n",
        "w = np.zeros(3)",
        "`w` became another array (f64[3]) after `f` was traced; the cached program was made with the earlier one.",
    ),
    "array of JAX with a method": (
        "w = jnp.arange(3.0)\n@jax.jit\ndef f(x):\n    return x * w.sum()\n",
        "w = jnp.zeros(3)",
        "`w` became another array (f32[3]) after `f` was traced; the cached program still uses the earlier one.",
    ),
    "list made into an array": (
        "w = [1.0, 2.0]\n@jax.jit\ndef f(x):\n    return (x * jnp.asarray(w)).sum()\n",
        "w[0] = 3.0",
        "`w` changed [1.0, 2.0] → [3.0, 2.0] after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "array of a partial": (
        "import functools\ndef scale(w, x):\n    return (x * w).sum()\nhelper = functools.partial(scale, jnp.ones(3))\n"
        "@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = functools.partial(scale, jnp.zeros(3))",
        "`helper.args[0]` became another array (f32[3]) after `f` was traced; "
        "the cached program still uses the earlier one.",
    ),
    "array of a partial by name": (
        "import functools\ndef scale(x, w):\n    return (x * w).sum()\n"
        "helper = functools.partial(scale, w=np.ones(3, np.float32))\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = functools.partial(scale, w=np.zeros(3, np.float32))",
        "`helper.keywords['w']` became another array (f32[3]) after `f` was traced; "
        "the cached program still uses the earlier one.",
    ),
}
"""What is traced, the change after the trace, and what is told."""

SHAPES_ONLY = {
    "length of a buffer": ("b = np.zeros(4)\n", "len(b) + b.shape[0]", "b[:] = 1"),
    "zeros like an array": ("b = jnp.zeros(4)\n", "jnp.zeros_like(b)", "b = jnp.ones(4)"),
    "a tree's structure": (
        "b = {'w': jnp.ones(4)}\n",
        "jax.tree.map(jnp.zeros_like, b)['w']",
        "b = {'w': jnp.zeros(4)}",
    ),
    "another key": ("b = {'k': 2.0, 'n': 1}\ndef h(x, c): return x * c['k']\n", "h(x, b)", "b['n'] = 5"),
    "membership": ("b = [1, 2]\n", "(1 in b)", "b.append(3)"),
    "zeros like a NumPy array": ("b = np.zeros(4)\n", "np.zeros_like(b)", "b[:] = 1"),
    "a function made anew with the same": (
        "def make(k):\n    return lambda x: x * k\nh = make(2.0)\n",
        "h(x)",
        "h = make(2.0)",
    ),
    "a partial made anew with the same": (
        "import functools\ndef g(x, k):\n    return x * k\nh = functools.partial(g, k=2.0)\n",
        "h(x)",
        "h = functools.partial(g, k=2.0)",
    ),
    "a type": ("b = np.zeros(4, np.float32)\n", "jnp.zeros(4, np.result_type(b))", "b[:] = 1"),
    "another item by a variable": ("b, k = {'k': 2.0, 'n': 1}, 'k'\n", "b[k]", "b['n'] = 5"),
    "another variable of the environment": (
        "import os\nos.environ |= {'JTV_A': '1', 'JTV_B': '1'}\n",
        "float(os.environ['JTV_A'])",
        "os.environ['JTV_B'] = '2'",
    ),
    "an equal array of a cell that ran again": ("b = np.arange(4.0)\n", "np.sqrt(b)", "b = np.arange(4.0)"),
    "an equal partial of a cell that ran again": (
        "import functools\ndef g(w, x):\n    return x * w\nh = functools.partial(g, np.ones(4, np.float32))\n",
        "h(x)",
        "h = functools.partial(g, np.ones(4, np.float32))",
    ),
    "another key by get": ("b = {'k': 2.0, 'n': 1}\n", "b.get('k')", "b['n'] = 5"),
    "length of a dict": ("b = {'k': 2.0}\n", "len(b)", "b['k'] = 5"),
}
"""What is read, how, and a change of it that the program does not depend on."""
