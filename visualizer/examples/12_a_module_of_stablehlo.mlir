// Not JAX code but what it is lowered to, or what somebody hands you: a module of StableHLO. The `while` is a scan by another name: it
// carries `h`, reads one element of the series a step, and writes one of the result. Open the call of `@step`.
module @smooth {
  func.func public @main(%xs: tensor<6xf32>, %decay: tensor<f32>) -> (tensor<6xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %length = stablehlo.constant dense<6> : tensor<i32>
    %start = stablehlo.constant dense<0.0> : tensor<f32>
    %empty = stablehlo.constant dense<0.0> : tensor<6xf32>
    %last:5 = stablehlo.while(%i = %zero, %h = %start, %out = %empty, %series = %xs, %d = %decay)
        : tensor<i32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>
    cond {
      %more = stablehlo.compare LT, %i, %length, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %row = stablehlo.dynamic_slice %series, %i, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
      %x = stablehlo.reshape %row : (tensor<1xf32>) -> tensor<f32>
      %next = func.call @step(%d, %h, %x) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %cell = stablehlo.reshape %next : (tensor<f32>) -> tensor<1xf32>
      %written = stablehlo.dynamic_update_slice %out, %cell, %i : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next, %written, %series, %d : tensor<i32>, tensor<f32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>
    }
    return %last#2, %last#1 : tensor<6xf32>, tensor<f32>
  }
  func.func private @step(%decay: tensor<f32>, %h: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
    %kept = stablehlo.multiply %decay, %h : tensor<f32>
    %sum = stablehlo.add %kept, %x : tensor<f32>
    return %sum : tensor<f32>
  }
}
