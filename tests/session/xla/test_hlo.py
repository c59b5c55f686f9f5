"""The forms in which versions and platforms of XLA print a program."""

from __future__ import annotations

# ruff: noqa: E501 (XLA's lines are as long as they are)
import pytest

from jax_trace_viz.contract.program import HloFrame
from jax_trace_viz.session.xla.hlo import parse
from jax_trace_viz.session.xla.kernels import kernels
from jax_trace_viz.session.xla.origins import primitive_of

TABLES = r"""HloModule jit_f, is_scheduled=true

FileNames
1 "/tmp/a.py"
2 "/tmp/b.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=4 column=5 end_column=9}
2 {file_name_id=2 function_name_id=1 line=7 end_line=7 column=0 end_column=2}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0), metadata={op_name="x"}
  ROOT %tanh.1 = f32[8]{0} tanh(%x), metadata={op_name="jit(f)/tanh" stack_frame_id=2}
}
"""

GPU = r"""HloModule jit_f, entry_computation_layout={(f32[8,8]{1,0})->f32[8,8]{1,0}}

%fused (p: f32[8,8]) -> f32[8,8] {
  %p = f32[8,8]{1,0} parameter(0)
  ROOT %t = f32[8,8]{1,0} tanh(f32[8,8]{1,0} %p), metadata={op_name="jit(f)/\"a\\b\303\251\"/tanh" source_file="/tmp/a.py" source_line=12}
}

%command_buffer (p: f32[8,8]) -> f32[8,8] {
  %p.1 = f32[8,8]{1,0} parameter(0)
  ROOT %loop_fusion.2 = f32[8,8]{1,0} fusion(%p.1), kind=kLoop, calls=%fused, metadata={op_name="jit(f)/tanh"}, backend_config={"kind":"__triton","calls=%nothing":[]}
}

ENTRY %main.5 (a: f32[8,8]) -> f32[8,8] {
  %a = f32[8,8]{1,0} parameter(0), sharding={replicated}, metadata={op_name="a"}
  %custom-call.1 = (f32[8,8]{1,0}, /*index=1*/s8[4096]{0}) custom-call(%a, %a), custom_call_target="__cublas$gemm", metadata={op_name="jit(f)/dot_general" source_file="/tmp/a.py" source_line=11}
  %get-tuple-element.1 = f32[8,8]{1,0} get-tuple-element(%custom-call.1), index=0
  %all-reduce-start = f32[8,8]{1,0} all-reduce-start(%get-tuple-element.1), replica_groups={}, to_apply=%add, metadata={op_name="jit(f)/psum"}
  %all-reduce-done = f32[8,8]{1,0} all-reduce-done(%all-reduce-start)
  ROOT %call = f32[8,8]{1,0} call(%all-reduce-done), to_apply=%command_buffer
}
"""


def test_frames_are_told_in_tables() -> None:
    module = parse(TABLES)
    tanh = module.computations["main"][1]
    assert (tanh.opcode, tanh.op_name, tanh.operands, tanh.bytes) == ("tanh", "jit(f)/tanh", ["x"], 32)
    assert tanh.frame == 1
    assert module.frames == [
        HloFrame(file="/tmp/b.py", line=7, end_line=7, column=0, end_column=2, parent=None),
        HloFrame(file="/tmp/a.py", line=3, end_line=4, column=5, end_column=9, parent=0),
    ]


def test_parents_may_count_from_nothing() -> None:
    module = parse(
        TABLES.replace("parent_frame_id=1", "parent_frame_id=0").replace("parent_frame_id=2", "parent_frame_id=1")
    )
    assert [frame.parent for frame in module.frames] == [None, 0]


def test_kernels_are_found_inside_calls_and_beside_what_only_waits() -> None:
    program = kernels("c1", GPU)
    assert [(one.name, one.opcode, one.detail, one.bytes) for one in program.kernels] == [
        ("custom-call.1", "custom-call", "__cublas$gemm", 256 + 4096 + 2 * 256),
        ("all-reduce-start", "all-reduce-start", "", 512),
        ("loop_fusion.2", "fusion", "Loop", 512),
    ]
    names = [[program.operations[one].name for one in kernel.operations] for kernel in program.kernels]
    assert names == [["jit(f)/dot_general"], ["jit(f)/psum"], ['jit(f)/"a\\bé"/tanh']]
    lines = [program.frames[one.frame].line for one in program.operations if one.frame is not None]
    assert lines == [11, 12]


def test_what_is_no_program_is_said_to_be_none() -> None:
    for text in ("", "nothing of the kind", "HloModule\n%x = {\n", "ENTRY %main () -> f32[] {\n  %%% = (((\n}\n"):
        program = kernels("c1", text)
        assert not program.kernels


@pytest.mark.parametrize(
    ("name", "primitive"),
    [
        ("jit(train)/transpose(jvp(jit(model)))/dot_general", "dot_general"),
        ("jit(f)/ij,jk->ik/transpose", "transpose"),
        ("reduce_max", "reduce_max"),
        # JAX 0.12 names an addition so that XLA moved out of the nested call.
        ("jit(train)/jvp(jit(model))", ""),
        ("jit(train)/vmap(jvp(a/b))", ""),
        ("jit(f)/while/body", ""),
        ("jit(f)/closed_call", ""),
    ],
)
def test_a_call_is_no_operation(name: str, primitive: str) -> None:
    assert primitive_of(name) == primitive
