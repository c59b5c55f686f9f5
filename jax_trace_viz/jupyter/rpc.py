"""Front end → kernel: carries requests to `answer`.

The front end opens the comm, on a subshell where the kernel has them, so that it is answered while a cell runs. The
answers are made on a thread of their own: the next message, which may cancel the one before, is heard meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import comm

from jax_trace_viz.jupyter.answers import answer
from jax_trace_viz.jupyter.clerk import Clerk
from jax_trace_viz.jupyter.stream import send_answer

if TYPE_CHECKING:
    from comm.base_comm import BaseComm

    from jax_trace_viz.jupyter.answers import Desk

TARGET: Final = "jax_trace_viz.rpc"


class Rpc:
    """The request comms of all clients of one kernel."""

    def __init__(self, desk: Desk) -> None:
        self._clerk = Clerk(lambda asked: answer(asked, desk), send_answer)
        self._clients: dict[str, BaseComm] = {}
        comm.get_comm_manager().register_target(TARGET, self._opened)

    def close(self) -> None:
        """Tells the clients that nobody answers any more."""
        comm.get_comm_manager().unregister_target(TARGET, self._opened)
        self._clerk.forget()
        while self._clients:
            _, client = self._clients.popitem()
            client.close()

    def _opened(self, client: BaseComm, _message: dict[str, Any]) -> None:
        name = client.comm_id
        self._clients[name] = client
        client.on_close(lambda _: self._forget(name))
        client.on_msg(lambda message: self._clerk.take(name, _request(message)))

    def _forget(self, name: str) -> None:
        self._clients.pop(name, None)
        self._clerk.forget(name)


def _request(message: dict[str, Any]) -> object:
    """What a client asks; of a message of another form the message's own data, for the answer says what is wrong."""
    data = message["content"].get("data")
    return data["request"] if isinstance(data, dict) and "request" in data else data
