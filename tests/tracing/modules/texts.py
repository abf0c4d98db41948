"""MLIR for the tests of its reader: each is small and has something that another lacks."""

LOOP = """\
module @loop {
  func.func public @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %out:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = func.call @step(%c) : (tensor<4xf32>) -> tensor<4xf32>  // one step
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<4xf32>
    }
    return %out#1 : tensor<4xf32>
  }
  func.func private @step(%c: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.sine %c : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""

# Every form of a location; the operations stand over several lines, and one of them has a bracket in a string.
LOCATED = """\
#loc = loc("x")
#loc1 = loc("train.py":12:4)
#loc2 = loc("jit(f)/add"(#loc1))
module @located {
  func.func public @main(%arg0: tensor<2xf32> loc("x")) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32> loc(#loc2)
    %1 = "stablehlo.custom_call"(%0) {
      backend_config = "a { b (",
      call_target_name = "t"
    } : (tensor<2xf32>) -> tensor<2xf32> loc(callsite("jit(f)/call"("train.py":3:1) at "train.py":40:2))
    %2 = stablehlo.negate %1 : tensor<2xf32> loc(fused["a", "b"("m.py":1:2)])
    return %2 : tensor<2xf32> loc(unknown)
  } loc(#loc)
} loc(#loc)
"""

BLOCKS = """\
func.func @f(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^yes(%x : f32), ^no
^yes(%a: f32):
  %0 = arith.addf %a, %a : f32
  cf.br ^no
^no:  // predecessors
  return %x : f32
}
"""

# A reducer that is written in short, and one that is written out.
REDUCED = """\
func.func @f(%x: tensor<4xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %2 = stablehlo.add %a, %b : tensor<f32>
      %3 = stablehlo.tanh %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }
  return %0, %1 : tensor<f32>, tensor<f32>
}
"""

UNKNOWN = """\
func.func @f(%x: tensor<2xf32>) {
  "mine.show"(%x) {note = "π"} : (tensor<2xf32>) -> ()
  "mine.show"(%x) : (tensor<2xf32>) -> ()
  return
}
"""

# The parser of jaxlib calls itself for each level, and has no end of it but that of its stack.
DEEP = f"func.func private @deep({'tuple<' * 150_000}{'>' * 150_000})"
