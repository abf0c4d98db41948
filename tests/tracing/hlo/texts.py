"""HLO texts of our own for the tests, and the folder of real ones where it is there."""

from __future__ import annotations

import os
from pathlib import Path

SHARED = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "modules"

LOOP = """\
HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[3]{0}, f32[5,3]{1,0})->f32[3]{0}}

FileNames
1 "train.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=2 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%fused (p: f32[3], q: f32[3]) -> f32[3] {
  %p = f32[3]{0} parameter(0)
  %q = f32[3]{0} parameter(1)
  ROOT %sum = f32[3]{0} add(%p, %q), metadata={op_name="jit(f)/while/body/add" stack_frame_id=1}
}

%body (arg: (s32[], f32[3], f32[5,3])) -> (s32[], f32[3], f32[5,3]) {
  %arg = (s32[], f32[3]{0}, /*index=2*/f32[5,3]{1,0}) parameter(0)
  %one = s32[] constant(1)
  %i = s32[] get-tuple-element(%arg), index=0
  %h = f32[3]{0} get-tuple-element(%arg), index=1
  %xs = f32[5,3]{1,0} get-tuple-element(%arg), index=2
  %next = s32[] add(%i, %one)
  %zero = s32[] constant(0)
  %row = f32[1,3]{1,0} dynamic-slice(%xs, %i, %zero), dynamic_slice_sizes={1,3}
  %x = f32[3]{0} bitcast(%row)
  %new = f32[3]{0} fusion(%h, %x), kind=kLoop, calls=%fused
  ROOT %out = (s32[], f32[3]{0}, f32[5,3]{1,0}) tuple(%next, %new, %xs)
}

%cond (arg.1: (s32[], f32[3], f32[5,3])) -> pred[] {
  %arg.1 = (s32[], f32[3]{0}, f32[5,3]{1,0}) parameter(0)
  %five = s32[] constant(5)
  %i.1 = s32[] get-tuple-element(%arg.1), index=0
  ROOT %less = pred[] compare(%i.1, %five), direction=LT
}

ENTRY %main (h: f32[3], xs: f32[5,3]) -> f32[3] {
  %h.1 = f32[3]{0} parameter(0), metadata={op_name="params['h']"}
  %xs.1 = f32[5,3]{1,0} parameter(1), metadata={op_name="xs"}
  %start = s32[] constant(0)
  %all = (s32[], f32[3]{0}, f32[5,3]{1,0}) tuple(%start, %h.1, %xs.1)
  %loop = (s32[], f32[3]{0}, f32[5,3]{1,0}) while(%all), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  ROOT %last = f32[3]{0} get-tuple-element(%loop), index=1
}
"""

BRANCHES = """\
HloModule pick

neg { a = f32[2] parameter(0)
  ROOT b = f32[2] negate(a) }
same { c = f32[2] parameter(0)
  ROOT d = f32[2] copy(c) }
plus { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y) }

ENTRY main {
  which = pred[] parameter(0)
  v = f32[2] parameter(1)
  zero = f32[] constant(0)
  picked = f32[2] conditional(which, v, v), true_computation=neg, false_computation=same
  s = f32[] reduce(picked, zero), dimensions={0}, to_apply=plus
  t = f32[] reduce(v, zero), dimensions={0}, to_apply=plus
  inner = (f32[], f32[2]) tuple(t, picked)
  ROOT r = (f32[], (f32[], f32[2])) tuple(s, inner)
}
"""
