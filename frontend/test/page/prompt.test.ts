import { describe, expect, it } from "vitest";
import { promptOf } from "../../src/page/state/prompt.ts";

const TEXT = "a text, in quotes";

describe("what an empty field asks for", () => {
  it.each(["str", "'str'", "str | None", "None | str", "Optional[str]", "typing.Optional[str]", "Union[str, int]"])(
    "a text for %s",
    (annotation) => {
      expect(promptOf(annotation)).toBe(TEXT);
    },
  );

  it.each([null, "", "jax.Array", "Float[Array, '3']", "Array | None", "Params", "constructor", "np.ndarray"])(
    "an array for %s",
    (annotation) => {
      expect(promptOf(annotation)).toBe("f32[3]");
    },
  );

  it.each([
    ["dict[str, jax.Array]", "{'w': f32[3]}"],
    ["Dict[str, Array]", "{'w': f32[3]}"],
    ["tuple[jax.Array, str]", "(f32[3],)"],
    ["list[str]", "['a', 'b']"],
    ["tuple[str, ...]", "['a', 'b']"],
    ["list[jax.Array]", "[f32[3]]"],
    ["Callable[[jax.Array], jax.Array]", "jax.nn.relu"],
    ["Callable | None", "jax.nn.relu"],
    ["bool", "True"],
    ["int | str", "1"],
    ["float", "f32[]"],
    ["Literal['sum', 'mean']", "one of these"],
  ])("for %s: %s", (annotation, prompt) => {
    expect(promptOf(annotation)).toBe(prompt);
  });
});
