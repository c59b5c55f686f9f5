"""A client of a real kernel, that keeps everything the kernel says."""

from __future__ import annotations

import contextlib
import json
import queue
import sys
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

MIME = "application/vnd.jax-trace-viz+json"


@dataclass
class Ran:
    """What one cell gave: its reply, and what it told all clients, each with the time of arrival."""

    reply: dict[str, Any] = field(default_factory=dict)
    told: list[tuple[float, str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)
    ended: float = 0.0

    def contents(self, *kinds: str) -> list[dict[str, Any]]:
        return [content for _, kind, content, _ in self.told if kind in kinds]

    def printed(self, name: str = "stdout") -> str:
        return "".join(content["text"] for content in self.contents("stream") if content["name"] == name)

    def comm_data(self, key: str) -> list[Any]:
        """What the comm messages held under one of our keys."""
        return [content["data"][key] for content in self.contents("comm_msg") if key in content["data"]]

    def updates(self) -> list[dict[str, Any]]:
        return self.comm_data("jax_trace_viz")

    def outputs(self) -> list[tuple[str, Any]]:
        """The cell's outputs as a notebook would keep them, without ours: adjacent prints are one."""
        kept: list[tuple[str, Any]] = []
        for _, kind, content, _ in self.told:
            if kind == "stream" and kept and kept[-1][0] == content["name"]:
                kept[-1] = (content["name"], kept[-1][1] + content["text"])
            elif kind == "stream":
                kept.append((content["name"], content["text"]))
            elif kind in {"execute_result", "display_data"} and MIME not in content["data"]:
                kept.append((kind, content["data"]))
            elif kind == "error":
                kept.append((kind, content["traceback"]))
            elif kind == "clear_output":
                kept.append((kind, content["wait"]))
        return kept

    def ours(self) -> list[tuple[str, dict[str, Any]]]:
        """Our own outputs, in order: (message type, content)."""
        return [(kind, content) for _, kind, content, _ in self.told if MIME in content.get("data", {})]


class ThisInterpreter(KernelManager):
    """Starts kernels of the interpreter that runs the tests, whatever kernels are installed."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="test", language="python")


class Kernel:
    """A kernel of this interpreter, and one client."""

    def __init__(self, setup: str = "") -> None:
        self.manager = ThisInterpreter()
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=60)
        except RuntimeError:
            self.stop()
            raise
        if setup:
            self.run(setup)

    def connect(self) -> BlockingKernelClient:
        """A client of its own, as another browser window has."""
        client = BlockingKernelClient()
        client.load_connection_info(self.manager.get_connection_info())
        client.start_channels(hb=False)
        while True:
            client.kernel_info()
            with contextlib.suppress(queue.Empty):
                client.get_iopub_msg(timeout=1)
                return client

    def stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.context.destroy()

    def start(self, code: str, *, cell_id: str | None = None, subshell: str | None = None) -> str:
        """Sends a cell; returns the request's id."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        message = self.client.session.msg("execute_request", content)
        if cell_id:
            message["metadata"]["cellId"] = cell_id
        return self.send(message, subshell=subshell)

    def send(self, message: dict[str, Any], *, subshell: str | None = None) -> str:
        if subshell:
            message["header"]["subshell_id"] = subshell
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def control(self, kind: str) -> dict[str, Any]:
        self.client.control_channel.send(self.client.session.msg(kind, {}))
        return self.client.control_channel.get_msg(timeout=30)["content"]

    def open_rpc(self, *, subshell: str | None = None) -> str:
        identity = uuid.uuid4().hex
        content = {"comm_id": identity, "target_name": "jax_trace_viz.rpc", "data": {}}
        opening = self.send(self.client.session.msg("comm_open", content), subshell=subshell)
        if subshell:
            # Shells do not wait for each other: what is sent on another one could overtake the opening and be lost.
            self.await_idle(opening)
        return identity

    def await_idle(self, identity: str, timeout: float = 60) -> None:
        """Drops what is told until a request is done."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            done = message["msg_type"] == "status" and message["content"]["execution_state"] == "idle"
            if done and message["parent_header"].get("msg_id") == identity:
                return

    def ask(self, comm_id: str, request: Any, *, subshell: str | None = None) -> str:
        content = {"comm_id": comm_id, "data": {"request": request}}
        return self.send(self.client.session.msg("comm_msg", content), subshell=subshell)

    def answer(self, comm_id: str, timeout: float = 60) -> dict[str, Any]:
        """The next answer to this comm, whatever else is said."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            data = message["content"].get("data", {})
            if data.get("to") == comm_id:
                beside = message["buffers"]
                return json.loads(bytes(beside[0])) if beside else data["jax_trace_viz_answer"]

    def closed(self, comm_id: str, timeout: float = 30) -> bool:
        """Waits until the kernel says that nobody answers on this comm."""
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            if message["msg_type"] == "comm_close" and message["content"]["comm_id"] == comm_id:
                return True

    def restart(self) -> None:
        self.manager.restart_kernel(now=True)
        self.client.wait_for_ready(timeout=60)

    def finish(self, identity: str, *, timeout: float = 120) -> Ran:
        """Collects until the request is done."""
        ran = Ran()
        end = time.monotonic() + timeout
        while not ran.ended:
            message = self.client.get_iopub_msg(timeout=max(0.01, end - time.monotonic()))
            if message["parent_header"].get("msg_id") != identity:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                ran.ended = time.monotonic()
            elif kind != "status":
                ran.told.append((time.monotonic(), kind, content, message["parent_header"]))
        while ran.reply == {}:
            reply = self.client.get_shell_msg(timeout=30)
            if reply["parent_header"].get("msg_id") == identity:
                ran.reply = reply["content"]
        return ran

    def run(self, code: str, *, cell_id: str | None = None, timeout: float = 120) -> Ran:
        return self.finish(self.start(code, cell_id=cell_id), timeout=timeout)
