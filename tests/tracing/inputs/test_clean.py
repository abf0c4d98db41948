from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from visualizer.tracing.inputs._clean import MAX_CHARS, read_paste
from visualizer.tracing.inputs._readers import READERS
from visualizer.tracing.source._paste import split_lines


def cleaned(text: str) -> str:
    reading = read_paste(text)
    assert reading.diagnostics == []
    assert reading.tree is not None
    return reading.source.text


def test_python_is_not_touched():
    text = 'x = """\n>>> prompt\n```\n%magic “quotes”\n"""\n'
    reading = read_paste(text)
    assert reading.source.text == text
    assert reading.notes == []


def test_prompts_are_cut_off_and_outputs_left_out():
    reading = read_paste(">>> def f(x):\n...     return x\n...\n>>> f(1)\n1\n")
    assert reading.source.text == "def f(x):\n    return x\n\nf(1)\n\n"
    assert reading.notes == ["Prompts (>>>, In [1]:) were cut off, and what the session printed was left out."]
    assert reading.source.span(4, 0, 4, 4) == {"line": 4, "col": 4, "end_line": 4, "end_col": 8}


def test_notebook_prompts():
    assert cleaned("In [1]: x = 1\nIn [2]: def f():\n   ...:     return x\nOut[2]: 3\n") == "x = 1\ndef f():\n    return x\n\n"
    assert cleaned("In [1]:\nimport math\nx = 1\n\nOut[1]:\n1\nIn [2]:\ny = 2") == "\nimport math\nx = 1\n\n\n\n\ny = 2"


def test_code_before_the_first_prompt_stays_and_prose_goes():
    assert cleaned("import math\n>>> math.pi\n3.14 is pi") == "import math\nmath.pi\n"
    assert cleaned("For example:\n>>> x = 1") == "\nx = 1"


def test_fences_are_left_out_with_the_prose_around_them():
    assert cleaned("Try this, it doesn't work:\n\n```python\nx = 1\n```\nThanks!") == "\n\n\nx = 1\n\n"
    assert cleaned("~~~\nx = 1\n~~~") == "\nx = 1\n"
    assert cleaned("```py\nx = 1") == "\nx = 1"
    assert cleaned("x = 1\n```") == "x = 1\n"


def test_of_several_fenced_languages_python_is_kept():
    assert cleaned("```bash\npip install jax\n```\n```python\nx = 1\n```\n```text\nx is 1\n```") == "\n\n\n\nx = 1\n\n\n\n"


def test_shared_indentation_is_cut_off():
    assert cleaned("    x = 1\n    if x:\n        y = 2\n# note\n") == "x = 1\nif x:\n    y = 2\n# note\n"
    assert cleaned("\tx = 1\n\ty = 2") == "x = 1\ny = 2"


def test_the_first_line_may_have_lost_its_indentation():
    assert cleaned("x = 1\n    y = 2\n    z = 3") == "x = 1\ny = 2\nz = 3"


def test_indentation_inside_strings_does_not_count():
    assert cleaned('    x = """\n  text\n"""\n    y = 1') == 'x = """\ntext\n"""\ny = 1'


def test_typographic_characters_outside_strings_become_plain():
    assert cleaned("d = {“w”: 1}\nx\u00a0= 3 – 1") == 'd = {"w": 1}\nx = 3 - 1'
    assert cleaned('s = "“kept” – so"\nt = ‘x’') == "s = \"“kept” – so\"\nt = 'x'"
    assert cleaned("f\u200b = 1\nx[\u2026]") == "f = 1\nx[...]"


def test_commands_of_notebooks_are_left_out():
    reading = read_paste("%load_ext autoreload\n!pip install jax\nfiles = !ls\nx?\n?x\nif x:\n    %time x\ny = 1")
    assert reading.source.text == "\n\n\n\n\nif x:\n    pass\ny = 1"
    assert reading.notes == ["Lines 1, 2, 3, 4, 5 and 7: notebook commands are not Python and were left out."]


def test_a_cell_of_another_language_goes_whole():
    assert cleaned("%%bash\nls -l | wc\necho done\n# %%\nx = 1") == "\n\n\n# %%\nx = 1"
    assert cleaned("%%time\nx = 1") == "\nx = 1"


def test_environment_commands_are_kept_as_what_they_do():
    assert cleaned("%env JAX_ENABLE_X64=1\nx = 1") == "__import__('os').environ['JAX_ENABLE_X64'] = '1'\nx = 1"


def test_a_percent_sign_inside_brackets_is_an_operator():
    text = "x = (7\n% 4)\n!ls"
    assert cleaned(text) == "x = (7\n% 4)\n"


def test_byte_order_mark_and_line_ends():
    reading = read_paste("\ufeffx = 1\r\ny = 2\r")
    assert reading.source.text == "x = 1\ny = 2\n"
    assert len(reading.notes) == 2
    assert reading.source.span(1, 0, 1, 1) == {"line": 1, "col": 1, "end_line": 1, "end_col": 2}


def test_all_at_once():
    text = (
        "\ufeffHello,\r\n\r\n```python\r\n    >>> %matplotlib inline\r\n    >>> d\u00a0= {“w”: 1}\r\n    >>> d\r\n    {'w': 1}\r\n```\r\n"
    )
    assert cleaned(text) == '\n\n\n\nd = {"w": 1}\nd\n\n\n'


def test_tabs_and_spaces_mixed_stay_an_error():
    (found,) = read_paste("if 1:\n\tx = 1\n        y = 2\n").diagnostics
    assert (found["type"], found["span"]["line"], found["stage"]) == ("TabError", 3, "read")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-paste"),
        (" \n\t\r\n", "empty-paste"),
        ("# only a comment", "empty-paste"),
        ("%matplotlib inline", "empty-paste"),
        ("x = 1\0", "not-text"),
        ("\x7fELF\x02\x01\x01\x03\x04\x05", "not-text"),
        ("\ufffd\ufffdPNG\ufffd" * 10, "not-text"),
        ("x" * (MAX_CHARS + 1), "too-large"),
    ],
)
def test_what_cannot_be_read_is_said(text, code):
    reading = read_paste(text)
    assert [found["code"] for found in reading.diagnostics] == [code]
    assert reading.tree is None
    assert reading.diagnostics[0]["message"]
    assert reading.diagnostics[0]["advice"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("θ = 1; y = $", (1, 11, 1, 12)),
        ("'𝔘'; y = (", (1, 10, 1, 11)),
        (">>> x = = 1", (1, 8, 1, 9)),
        ("print 'é'", (1, 0, 1, 9)),
    ],
)
def test_a_syntax_error_stands_where_the_person_sees_it(text, span):
    (found,) = read_paste(text).diagnostics
    assert found["type"] == "SyntaxError"
    assert tuple(found["span"].values()) == span


def test_lone_surrogates_are_replaced():
    reading = read_paste("x = '\ud800'")
    assert reading.source.text == "x = '\ufffd'"
    assert reading.notes == ["Halves of characters (lone surrogates) were replaced."]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("module @jit_f attributes {a = 1 : i32} {\n  func.func public @main() {\n  }\n}", "mlir"),
        ("#loc = loc(unknown)\nmodule {\n}", "mlir"),
        ("// made by jax\nfunc.func @main(%arg0: tensor<f32>) {\n}", "mlir"),
        ("HloModule jit_f, entry_computation_layout={()->f32[]}\n\nENTRY main {\n}", "hlo"),
        ("{ lambda ; a:f32[3]. let b:f32[] = reduce_sum a in (b,) }", "jaxpr"),
        ("{ lambda a:f32[3]; b:key<fry>[] c:Ref{f32[2]}. let\n  d:f32[3] = sin a\n in (d,) }", "jaxpr"),
        ("let jaxpr = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n{ lambda ; c:f32[]. let in (c,) }", "jaxpr"),
        ("```mlir\nmodule {\n}\n```", "mlir"),
    ],
)
def test_other_kinds_of_text_are_named(text, kind):
    reading = read_paste(text)
    assert reading.input == kind
    assert reading.tree is None
    assert [found["code"] for found in reading.diagnostics] == ([] if kind in READERS else ["unsupported-input"])


@pytest.mark.parametrize(
    "text",
    [
        'sdy.mesh @mesh = <["x"=2]>\nfunc.func @f() { return }',
        "!kind = tensor<2xf32>\nfunc.func private @f(!kind)",
        '%0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>',
        "%0, %1 = stablehlo.optimization_barrier %a, %b",
        '"stablehlo.return"() : () -> ()',
    ],
)
def test_mlir_without_a_module_around_it_is_mlir(text):
    assert read_paste(text).input == "mlir"


def test_bytecode_that_was_pasted_as_text_is_refused():
    reading = read_paste("ML\u00efR\x01\x02")
    assert [found["code"] for found in reading.diagnostics] == ["not-text"]
    assert "Open the file itself" in reading.diagnostics[0]["advice"]


@pytest.mark.parametrize(
    "text",
    [
        "# module @jit_f {\nx = (",
        "s = '''\nmodule @m {\n'''\nx = (",
        "module = 1\nHloModule = 2\nx = (",
        "f = { lambda : 1",
        "{ lambda x: x }\n(",
        "print('HloModule a,')\n(",
        'print("""{ lambda ; a:f32[3]. let""")\n(',
    ],
)
def test_python_that_is_broken_is_still_python(text):
    reading = read_paste(text)
    assert reading.input == "python"
    assert [found["type"] for found in reading.diagnostics] == ["SyntaxError"]


FRAGMENTS = [
    "```python", "```", "~~~", ">>> ", "... ", "...", "In [3]: ", "   ...: ", "Out[3]: 1", "%time", "%%bash", "!ls", "x?", "“",
    "”", "‘", "’",
    '"', "'", '"""', "\u00a0", "\u200b", "\ufeff", "\t", "    ", "\\", "(", ")", "#", "x = 1", "def f():", "return x", "\n", "\r\n", "\r",
    "…", "–", "𝔘", "é", "%env A=1", "```text", "if x:", "{ lambda ; a:f32[]. let", "module {",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join), st.text(max_size=60)))
@example('“\n"""\n>>> x')
def test_cleaning_keeps_the_lines_and_is_done_once(text):
    reading = read_paste(text)
    if any(found["code"] in ("not-text", "too-large") for found in reading.diagnostics):
        return
    source = reading.source
    assert len(source.lines) == len(split_lines(text)) == source.text.count("\n") + 1
    again = read_paste(source.text)
    assert again.source.text == source.text
    seen = split_lines(text)
    for number, line in enumerate(source.lines, 1):
        assert line.seen == seen[number - 1]
        place = source.span(number, 0, number, len(line.text.encode("utf-8", "surrogatepass")))
        assert place is not None
        assert 0 <= place["col"] <= place["end_col"] <= len(line.seen.encode("utf-16-le", "surrogatepass")) // 2
    for found in reading.diagnostics:
        if found["span"]:
            assert 1 <= found["span"]["line"] <= found["span"]["end_line"] <= len(source.lines)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["", "    ", "\t"]), st.sampled_from(["", ">>> "]), st.booleans(), st.booleans())
def test_wrapped_programs_come_out_as_they_went_in(indent, prompt, fence, windows):
    program = textwrap.dedent(
        '''
        import math
        text = """
          “kept”
        """
        def f(x):
            return {"a": x, 'b': [x,
                    2]}
        f(1)
        '''
    ).strip()
    lines = [indent + (prompt if number == 0 or not prompt else "... ") + line for number, line in enumerate(program.split("\n"))]
    if fence:
        lines = ["```python", *lines, "```"]
    tree = read_paste(("\r\n" if windows else "\n").join(lines)).tree
    if indent and not prompt:
        program = program.replace("\n  “kept”\n", "\n  “kept”\n")
    assert tree is not None
    assert ast.dump(tree) == ast.dump(ast.parse(program))


@pytest.mark.parametrize(
    "text", ['{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}', '{\n "nbformat": 4, "cells": [{"cell_type": null}]}']
)
def test_a_notebook_file_is_named(text):
    (found,) = read_paste(text).diagnostics
    assert found["code"] == "unsupported-input"
    assert "notebook" in found["message"]
    assert "cells" in found["advice"]


def test_a_dictionary_is_no_notebook():
    assert read_paste('{"cells": 3}').diagnostics == []


@pytest.mark.parametrize("text", ['module @"x y<b>\\1B" {\n}', 'func.func @"f g"() {\n  return\n}', 'module @m attributes {a = "b"} {\n}'])
def test_a_module_has_any_name(text):
    assert read_paste(text).input == "mlir"
