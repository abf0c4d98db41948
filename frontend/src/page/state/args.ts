// Shapes as people write them among the arguments of an expression. Pure.

const DTYPES: Readonly<Record<string, string>> = {
  bool: "bool",
  bf16: "bfloat16",
  f16: "float16",
  f32: "float32",
  f64: "float64",
  c64: "complex64",
  c128: "complex128",
  i8: "int8",
  i16: "int16",
  i32: "int32",
  i64: "int64",
  u8: "uint8",
  u16: "uint16",
  u32: "uint32",
  u64: "uint64",
};

const SHAPE = new RegExp(`"[^"]*"|'[^']*'|(?:\\b[A-Za-z_]\\w*\\s*:\\s*)?\\b(${Object.keys(DTYPES).join("|")})\\[([\\d,\\s]*)\\]`, "g");

/**
 * A Python tuple from what was typed: `w: f32[3], 2.0` becomes `(jax.ShapeDtypeStruct((3,), 'float32'), 2.0,)`. Names before shapes are
 * for the reader only; strings are left alone; a whole tuple stays one. jax is imported by the expression: a paste may call it otherwise.
 */
export function argsExpression(typed: string): string {
  const text = typed.trim();
  if (text === "") return "()";
  const expanded = text.replace(SHAPE, (whole: string, dtype: string | undefined, dims: string | undefined) => {
    if (dtype === undefined || dims === undefined) return whole;
    const sizes = dims
      .split(",")
      .map((size) => size.trim())
      .filter((size) => size !== "");
    return `__import__("jax").ShapeDtypeStruct((${sizes.map((size) => `${size},`).join("")}), "${DTYPES[dtype]}")`;
  });
  return isTuple(expanded) ? expanded : `(${expanded.replace(/,\s*$/, "")},)`;
}

/** Whether the text is one pair of parentheses with a comma at its top level: `(a, b)`, not `(a) + (b)` nor `(a)`. */
function isTuple(text: string): boolean {
  if (!text.startsWith("(")) return false;
  let depth = 0;
  let comma = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === "," && depth === 1) comma = true;
    if (depth === 0 && at < text.length - 1) return false;
  }
  return comma || text === "()";
}
