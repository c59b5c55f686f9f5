"""R13: what is shared holds no secret.

Figures: of 12 canaries (static argument, closure, global, partial, callback, debug.print, named scope, error message,
cell source, configuration, header, address with a password) 0 are in any export or message by default, nor is the home
folder; previews have at most 120 characters; `secrets="show"` shows what it says.
"""

from __future__ import annotations

import functools
import json
import os
import random
import string
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jax_trace_viz
from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.events import Fault
from jax_trace_viz.exports import why_text
from jax_trace_viz.exports.registry import EXPORTERS
from jax_trace_viz.jupyter import output, wire
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.session.masking import Masking, is_telling, masked_text

if TYPE_CHECKING:
    import pathlib

CANARIES = {
    "static": "sk-canary0static0aB3dE5gH7jK9",
    "partial": "ghp_Canary1partial2AbCdEfGhIjKlMnOp",
    "closure": "hunter2-canary-closure",
    "global": "correct-horse-canary-global",
    "callback": "AKIACANARYCALLBACK12"[:20],
    "print": "hf_CanaryPrint0123456789abcdef",
    "scope": "xoxb-canary-scope-0123456789",
    "error": "eyJjYW5hcnkiOjF9.eyJlcnJvciI6MX0.c2lnbmF0dXJl",
    "source": "pa55-canary-source",
    "header": "Bearer canaryHEADER0123456789",
    "address": "https://jo:canary-address@example.org/data",
    "random": "q7Xz19LmPw04RtYv83BnKs62HdGf",
}
HIDDEN = {**CANARIES, "header": "canaryHEADER0123456789", "address": "jo:canary-address"}
db_password = CANARIES["global"]


def program() -> None:
    jax.clear_caches()
    secret_token = CANARIES["closure"]

    @functools.partial(jax.jit, static_argnames=("api_key", "header", "settings", "size"))
    def step(x, api_key, header, settings, size):
        password = "pa55-canary-source"
        jax.debug.print("hf_CanaryPrint0123456789abcdef {}", x)
        with jax.named_scope(CANARIES["scope"]):
            x = jnp.sin(x) * len(secret_token + db_password + password)
        return jax.pure_callback(functools.partial(host, CANARIES["callback"]), x, x) * size

    def host(key, x):
        return np.asarray(x)

    def failing(x, note):
        raise ValueError(f"no access with {note}")

    settings = (CANARIES["address"], CANARIES["random"])
    step(1.0, CANARIES["static"], CANARIES["header"], settings, 3)
    step(1.0, CANARIES["static"] + "2", CANARIES["header"], settings, 3)
    step(1.0, CANARIES["static"] + "2", CANARIES["header"], settings, 4)
    jax.jit(functools.partial(step, api_key=CANARIES["partial"], header="", settings=(), size=1))(2.0)
    with pytest.raises(ValueError, match="no access"):
        jax.jit(failing, static_argnums=1)(1.0, CANARIES["error"])


def recorded(**options: Any) -> jax_trace_viz.Session:
    with jax_trace_viz.trace(**options) as session:
        program()
    return session


def told_by(session: jax_trace_viz.Session) -> dict[str, str]:
    """All that can leave the process, by its way out."""
    document = session.document()
    feed = Feed(session, Cell(file=__file__))
    update = feed.next_complete()
    pictures = [wire.plain(p) for t in document.traces if (p := feed.picture(t.id)) is not None]
    told = {name: export(document) for name, export in EXPORTERS.items()}
    told["why"] = why_text.why(document, diff=True)
    told["message"] = wire.encoded(update).decode()
    told["answers"] = json.dumps(pictures, ensure_ascii=False)
    told["cell output"] = json.dumps([output.bundle(update), output.line_bundle(update)], ensure_ascii=False)
    return told


def test_no_export_and_no_message_holds_a_canary() -> None:
    told = told_by(recorded())
    assert "step" in told["json"]
    leaks = [(way, name) for way, text in told.items() for name, value in HIDDEN.items() if value in text]
    assert leaks == []


def test_a_reason_still_says_that_a_masked_value_has_changed() -> None:
    document = recorded().document()
    (step,) = [f for f in document.functions if f.name == "step"]
    second, third = [t for t in document.traces if t.function == step.id and t.kind == "jit"][1:3]
    assert [(r.path, r.before, r.after) for r in second.reasons if r.path == "api_key"] == [
        ("api_key", "[masked]", "another [masked], not equal to it by its own __eq__ or __hash__")
    ]
    assert [(r.path, r.before, r.after) for r in third.reasons] == [("size", "3", "4")]


def test_who_asks_for_it_sees_everything() -> None:
    told = told_by(recorded(secrets="show"))
    shown = {name for name, value in HIDDEN.items() if value in told["json"]}
    assert {"static", "header", "source", "error", "scope"} <= shown


def test_the_home_folder_is_in_no_file(tmp_path: pathlib.Path) -> None:
    home = tmp_path / "home" / "jo"
    home.mkdir(parents=True)
    script = home / "train.py"
    script.write_text(
        textwrap.dedent("""
            import pathlib, jax, jax_trace_viz
            @jax.jit
            def f(x):
                return x * 2
            with jax_trace_viz.trace() as session:
                f(1.0)
                jax.jit(lambda x, path: x, static_argnums=1)(1.0, pathlib.Path.home() / "data")
                try:
                    jax.jit(lambda x: 1 if x else 2)(1.0)
                except Exception:
                    pass
            from tests.promises.test_r13_secrets import told_by
            import json
            print(json.dumps(told_by(session)))
        """)
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(home), "USERPROFILE": str(home)},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [way for way, text in told.items() if str(home) in text] == []
    assert "~/train.py" in told["json"]


@pytest.mark.parametrize(
    "harmless",
    [
        "TransformerEncoderLayer2WithAttention",
        "jit(train_step)/jit(main)/transpose(jvp(loss))/layer_norm",
        "float32[128,512]",
        "params['encoder']['layers_11']['attention']['kernel']",
        "num_tokens=128, tokenizer=<class 'Tokenizer'>, token_ids",
        "/usr/lib/python3.12/site-packages/jax/_src/interpreters/partial_eval.py",
        "dot_general[dimension_numbers=(((1,), (0,)), ((), ()))]",
        "a-very-long-name-of-a-run-without-any-upper-case-2026",
    ],
)
def test_what_is_no_secret_is_left_alone(harmless: str) -> None:
    assert masked_text(harmless) == harmless


@pytest.mark.parametrize(
    ("name", "telling"),
    [
        ("password", True),
        ("cfg['api_key']", True),
        ("self.apiKey", True),
        ("headers['Authorization']", True),
        ("hf_token", True),
        ("tokens", False),
        ("num_tokens", False),
        ("tokenizer", False),
        ("key", False),
        ("author", False),
        ("attention_mask", False),
        ("private_key", True),
    ],
)
def test_names_that_tell(name: str, telling: bool) -> None:
    assert is_telling(name) is telling


ALPHABETS = {
    "hexadecimal": "0123456789abcdef",
    "capital": "0123456789ABCDEF",
    "letters": "abcdefABCDEF",
    "random": string.ascii_letters + string.digits,
    "small": string.ascii_lowercase + string.digits,
    "words": string.ascii_lowercase + "_",
}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_an_event_is_passed_unread_only_if_nothing_in_it_would_be_masked(alphabet: str) -> None:
    masking, rng = Masking(), random.Random(alphabet)
    masked = 0
    for _ in range(500):
        word = "".join(rng.choices(ALPHABETS[alphabet], k=rng.choice((20, 28, 32, 40, 64))))
        text = rng.choice(("", "at ", "\n", "é ", "jax_use_simplified_jaxpr_constants=")) + word
        for _ in range(2):  # the second time its words, or all of it, may be known
            assert masking.event(Fault(seam="test", text=text)).text == masked_text(text)
        masked += masked_text(text) != text
    assert masked or alphabet in ("letters", "small", "words")


def test_previews_are_short() -> None:
    with jax_trace_viz.trace() as session:
        jax.jit(lambda x, note, deep: x, static_argnums=(1, 2))(1.0, "n" * 10_000, ((((((("deep"),),),),),),))
    values = [a.value for t in session.document().traces for a in t.arguments if a.value is not None]
    assert values
    assert all(len(value) <= 120 for value in values)


def test_numbers_under_telling_names_are_shown() -> None:
    with jax_trace_viz.trace() as session:
        step = jax.jit(lambda x, max_token: x, static_argnames="max_token")
        step(1.0, max_token=3)
        step(1.0, max_token=4)
    (reason,) = session.document().traces[-1].reasons
    assert (reason.before, reason.after) == ("3", "4")


@pytest.mark.parametrize("asked", ["x", "Show", None, True])
def test_another_word_than_mask_and_show_is_refused(asked: Any) -> None:
    said = f"secrets is {asked!r}: it must be 'mask' or 'show'"
    with pytest.raises(ValueError, match=said), jax_trace_viz.trace(secrets=asked):
        pass
