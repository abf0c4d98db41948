/** What the frame of each higher-order primitive says of itself, on traces of real programs (test/programs/frame_*.py). */
import { describe, expect, it } from "vitest";
import { bytesOf } from "../../src/drawing/cost/bytes.ts";
import { bytesText } from "../../src/drawing/cost/format.ts";
import { drawProgram, foldable, initialOpen, type Node, type Scene, type Wire } from "../../src/drawing/index.ts";
import { siteOf } from "../../src/drawing/overlay/places.ts";
import { sitesOf } from "../../src/model/sites.ts";
import { example, examples } from "./fixtures.ts";

function scene(name: string, open: "initial" | "all" | "none" = "initial"): Scene {
  const program = example(name);
  return drawProgram(program, { open: open === "initial" ? initialOpen(program) : new Set(open === "all" ? foldable(program) : []) });
}

/** The title of a frame and the lines under it. */
function saying(drawn: Scene, title: string): string[] {
  const frame = drawn.frames.find((each) => each.title === title)!;
  return drawn.labels.filter((label) => label.owner === frame.key && label.style === "note").map((label) => label.text);
}

/** The lines of a pill under its name. */
function lines(drawn: Scene, node: Node): string[] {
  return drawn.labels.filter((label) => label.owner === node.key && label.style === "type").map((label) => label.text);
}

function pills(drawn: Scene, kind: Node["kind"], frame: string): Node[] {
  return drawn.nodes.filter((node) => node.kind === kind && node.key.startsWith(frame)).sort((a, b) => a.box.x - b.box.x);
}

function ends(drawn: Scene, wire: Wire): [string, string] {
  const owners = new Map(drawn.ports.map((port) => [port.key, port.owner]));
  const titles = new Map([...drawn.nodes, ...drawn.frames].map((item) => [item.key, item.title]));
  const title = (key: string): string => titles.get(owners.get(key) ?? "") ?? "?";
  return [title(wire.from), title(wire.to)];
}

describe("a scan", () => {
  it("says the function that is its step, and which row comes first", () => {
    expect(saying(scene("frame_carries-0"), "scan \u00d74")).toEqual(["step", "rows 0 \u2192 3"]);
    expect(saying(scene("01_grad_of_scan"), "scan \u00d78 reverse")).toContain("rows 7 \u2192 0");
  });

  it("says which carry a result becomes where its name does not", () => {
    const drawn = scene("frame_carries-1");
    const results = pills(drawn, "result", "e0|").map((pill) => [pill.title, pill.role, lines(drawn, pill).slice(1)]);
    expect(results.slice(0, 2)).toEqual([
      ["pair[1]", "carry", ["next pair[0]"]],
      ["pair[1]", "carry", []],
    ]);
  });

  it("leads many carries over one thick line, with an arrow at each of them", () => {
    const loops = scene("frame_carries-0").wires.filter((wire) => wire.kind === "loop");
    expect(loops).toHaveLength(6);
    expect(loops.filter((wire) => wire.carries)).toHaveLength(1);
    expect(new Set(loops.map(({ cable }) => cable)).size).toBe(1);
    expect(loops[0]!.cable).not.toBeNull();
    const flank = (wire: Wire): number => Math.min(...wire.points.filter((_, i) => i % 2 === 0));
    expect(new Set(loops.map(flank)).size).toBe(1);
    expect(scene("frame_carries-1").wires.every((wire) => wire.cable === null)).toBe(true);
  });
});

describe("a while", () => {
  const drawn = scene("frame_while");

  it("has the condition left of the step and leads its answer to the way back", () => {
    const [cond, body] = ["cond", "body"].map((title) => drawn.frames.find((frame) => frame.title === title)!);
    expect(cond!.box.x + cond!.box.w).toBeLessThan(body!.box.x);
    const gate = drawn.wires.find((wire) => wire.kind === "select")!;
    expect(ends(drawn, gate)).toEqual(["cond", "while"]);
    const flank = Math.min(
      ...drawn.wires.filter((wire) => wire.kind === "loop").flatMap((wire) => wire.points.filter((_, i) => i % 2 === 0)),
    );
    expect(gate.points[gate.points.length - 2]).toBeCloseTo(flank, 3);
    expect(drawn.labels.map((label) => label.text)).toContain("next step while true");
  });

  it("keeps the consts of the condition apart from those of the step", () => {
    const captions = drawn.labels.filter((label) => label.style === "caption" && label.owner === "e0").map((label) => label.text);
    expect(captions.slice(0, 3)).toEqual(["cond_const", "body_const", "carry"]);
  });
});

describe("a cond", () => {
  it("has its branches in order, with the functions behind them", () => {
    const drawn = scene("frame_cond-0");
    const [no, yes] = ["false", "true"].map((title) => drawn.frames.find((frame) => frame.title === title)!);
    expect(no!.box.x).toBeLessThan(yes!.box.x);
    expect([saying(drawn, "false"), saying(drawn, "true")]).toEqual([["shifted"], ["scaled"]]);
  });

  it("of a number is numbered", () => {
    const drawn = scene("frame_cond-1");
    expect(drawn.frames.filter((frame) => frame.kind === "body").map((frame) => frame.title)).toEqual(["branch 0", "branch 1"]);
  });

  it("dims what a branch does not read", () => {
    const drawn = scene("frame_cond-0");
    expect(drawn.nodes.filter((node) => node.dim).map((node) => node.title)).toEqual(["shift"]);
  });
});

describe("rules of one's own", () => {
  const drawn = scene("frame_rules");

  it("are said to exist, by name where JAX keeps it", () => {
    expect(saying(drawn, "custom_jvp_call soft")).toEqual(["rule: jvp"]);
    expect(saying(drawn, "custom_vjp_call clipped")).toEqual(["rules: fwd clipped_fwd", "bwd clipped_bwd", "symbolic zeros"]);
    expect(saying(drawn, "custom_vmap_call rowwise")).toEqual(["rule: vmap rowwise_rule"]);
    expect(saying(drawn, "linear_call")).toEqual(["rule: transpose"]);
  });

  it("keep what a linear call is linear in apart", () => {
    const captions = drawn.labels.filter((label) => ["fixed", "linear"].includes(label.text)).map((label) => label.text);
    expect(captions).toEqual(["fixed", "linear"]);
  });
});

describe("a checkpoint", () => {
  it("says what it saves", () => {
    expect(saying(scene("frame_remat-0"), "remat2 block")).toEqual(["policy DotsSaveable"]);
  });

  it("marks what the backward pass computes again", () => {
    const drawn = scene("frame_remat-1");
    expect(saying(drawn, "remat2 block")[0]).toBe("recomputes 4 of 13");
    const again = drawn.nodes.filter((node) => node.recomputed).map((node) => node.title);
    expect(again.sort()).toEqual(["sub", "sub", "tanh", "tanh"]);
  });
});

describe("residuals of twins", () => {
  it("say their bytes, times the steps", () => {
    expect(scene("01_grad_of_scan").labels.map((label) => label.text)).toContain("3 residuals \u00b7 12 B \u00d7 8 = 96 B");
    expect(scene("01_grad_of_scan", "none").labels.map((label) => label.text)).toContain("3 residuals \u00b7 12 B \u00d7 8 = 96 B");
  });

  it("are said of every twin that is drawn, whatever is open", () => {
    let twins = 0;
    for (const { name, program } of examples()) {
      const paths = program.twins.flatMap(({ forward, backward, recomputed }) => [forward, backward, ...(recomputed ? [recomputed] : [])]);
      const around = paths.flatMap((path) => path.split("/").map((_, depth, all) => all.slice(0, depth).join("/")));
      const forwards = program.twins.map(({ forward, recomputed }) => recomputed ?? forward);
      const backwards = program.twins.map(({ backward }) => backward);
      for (const some of [[], forwards, backwards, paths]) {
        const { labels, frames, nodes } = drawProgram(program, { open: new Set([...around, ...some]) });
        const drawn = new Set([...frames, ...nodes].map(({ key }) => key));
        for (const { forward, recomputed, backward, residuals } of program.twins) {
          const saver = recomputed ?? forward;
          if (residuals.length === 0 || !drawn.has(saver)) continue;
          twins++;
          const site = siteOf(sitesOf(program), saver)!;
          const results = [...new Set(residuals.map(({ result }) => site.eqn.results[result]!.var))];
          const bytes = results.reduce((sum, id) => sum + bytesOf(site.jaxpr.vars[id]!)!, 0);
          const said = labels
            .filter(({ owner, key }) => owner === saver || key === `${saver}~${backward}.residuals`)
            .map(({ text }) => text);
          const words = new RegExp(`\\b${results.length} residuals? \u00b7 (.* = )?${bytesText(bytes).replace(".", "\\.")}$`);
          expect(
            said.filter((text) => words.test(text)),
            `${name} ${saver} ${some}`,
          ).not.toEqual([]);
          const steps = site.eqn.trips;
          if (steps !== null) expect(said.join("\n"), `${name} ${saver}`).toContain(`\u00d7 ${steps} = `);
        }
      }
    }
    expect(twins).toBeGreaterThan(40);
  });
});

it("a shard_map has its mesh in the title and a spec on every port", () => {
  const drawn = scene("frame_shards");
  const frame = drawn.frames.find((each) => each.eqn === "e0")!;
  expect(frame.title).toBe("shard_map data=1, model=1");
  const specs = [...pills(drawn, "binder", "e0|"), ...pills(drawn, "result", "e0|")].map((pill) => lines(drawn, pill).pop());
  expect(specs).toEqual(["P('data', 'model')", "P('model', None)", "P('data', None)"]);
});

it("a shard_map over some axes of a mesh says which, and of which mesh", () => {
  const drawn = scene("frame_places-2", "all");
  const said = drawn.frames.map((frame) => [frame.title, saying(drawn, frame.title)]);
  expect(said).toEqual([
    ["shard_map data=1", ["of the mesh data=1, model=1"]],
    ["shard_map model=1", ["of the mesh data=1, model=1"]],
  ]);
});

it("a spec says on a line of its own which sums are left to later", () => {
  const drawn = scene("frame_places-3", "all");
  const [result] = pills(drawn, "result", "e0|");
  expect(lines(drawn, result!).slice(-2)).toEqual(["P('data', None)", "unreduced={'model'}"]);
});

describe("the blocks of a kernel", () => {
  const notes = (name: string, key: string): string[] => {
    const drawn = scene(name, "all");
    return lines(drawn, drawn.nodes.find((node) => node.key === key)!).slice(1);
  };

  it("are those of the last operands: sizes of the grid and what index maps read stand ahead", () => {
    const ins = [0, 1, 2].map((i) => notes("frame_places-0", `e0|operand${i}`));
    expect(ins).toEqual([[], [], ["block (2, 4)"]]);
    expect(notes("frame_places-0", "e0|result0")).toEqual(["block (2, 4)", "(i, j, rows_ref) \u2192 (i, j)"]);
    expect(saying(scene("frame_places-0"), "pallas_call copy")).toEqual(["grid ? \u00d7 2"]);
  });

  it("are said with what kind of window they are, and a map that gives slices is drawn instead", () => {
    expect(notes("frame_places-1", "e0|operand0")).toEqual(["block (4, 4)", "placed by element"]);
    expect(notes("frame_places-1", "e0|operand1")).toEqual(["block (BoundedSlice(2), 4)"]);
    const drawn = scene("frame_places-1", "all");
    const cards = drawn.frames.filter(({ kind }) => kind === "body");
    const said = (key: string): string[] =>
      drawn.labels.filter((label) => label.owner === key && label.style === "note").map(({ text }) => text);
    expect(cards.map(({ key, title }) => [title, ...said(key)])).toEqual([["index map", "of x"], ["index map", "of y"], ["kernel"]]);
  });
});

describe("a kernel", () => {
  const drawn = scene("frame_kernel-0");

  it("has its grid, and blocks and index maps on its ports instead of cards", () => {
    expect(saying(drawn, "pallas_call scaled")).toEqual(["grid 4"]);
    expect(drawn.frames.filter((frame) => frame.eqn === "e0").map((frame) => frame.title)).toEqual(["pallas_call scaled", "kernel"]);
    for (const key of ["e0|operand0", "e0|operand1", "e0|result0"]) {
      const pill = drawn.nodes.find((node) => node.key === key)!;
      expect(lines(drawn, pill).slice(1)).toEqual(["block (2, 4)", "(i) \u2192 (i, 0)"]);
    }
  });

  it("passes a ref on from write to write, and to the result", () => {
    const refs = drawn.wires.filter((wire) => wire.kind === "effect").map((wire) => ends(drawn, wire).join(" > "));
    for (const step of ["x_ref > get", "out_ref > swap", "swap > cond", "swap > out_ref"]) expect(refs).toContain(step);
  });

  it("says what it does in place", () => {
    const said = scene("frame_kernel-1");
    const pill = (key: string): string[] => lines(said, said.nodes.find((node) => node.key === key)!);
    expect(pill("e0|operand1")).toContain("becomes result 0");
    expect(pill("e0|result0")).toContain("in place of operand 1");
  });
});

it("a ref is read as the last write left it", () => {
  const drawn = scene("frame_refs");
  const reads = drawn.wires.filter((wire) => wire.kind === "effect").map((wire) => ends(drawn, wire).join(" > "));
  // Before the scan from where it is made, in it after the write, and at last from what the scan left.
  expect(reads.filter((read) => read.endsWith("> get")).sort()).toEqual(["new_ref > get", "scan \u00d73 > get", "swap > get"]);
});

describe("reducers", () => {
  it("are shown by their word, and can be opened", () => {
    const drawn = scene("frame_reducers");
    const closed = drawn.nodes.filter((node) => node.kind === "closed");
    const hint = (key: string): string | undefined => drawn.labels.find((label) => label.key === `${key}.inside`)?.text;
    expect(closed.map((node) => [node.title, hint(node.key)])).toEqual([
      ["scatter-add", "by add"],
      ["scatter-max", "by max"],
    ]);
    expect(scene("frame_reducers", "all").nodes.some((node) => node.kind === "closed")).toBe(false);
  });

  it("that no word says are open", () => {
    expect(scene("frame_reducers").frames.map((frame) => frame.title)).toEqual(["reduce"]);
  });
});

it("of a linear solve only what runs as it is stands open; the rest says what it is for and can be opened", () => {
  const drawn = scene("frame_solve");
  expect(drawn.frames.filter((frame) => frame.kind === "body").map((frame) => frame.title)).toEqual(["solve"]);
  const closed = drawn.nodes.filter((node) => node.kind === "closed");
  expect(closed.map((node) => [node.title, node.hint.endsWith("for derivatives")])).toEqual([
    ["matvec", true],
    ["vecmat", true],
    ["transpose_solve", true],
  ]);
  const program = example("frame_solve");
  const [first] = closed;
  const opened = drawProgram(program, { open: new Set([...initialOpen(program), first!.toggle!]) });
  expect(opened.frames.filter((frame) => frame.kind === "body").map((frame) => frame.title)).toEqual(["matvec", "solve"]);
  expect(saying(opened, "matvec")).toEqual(["for derivatives"]);
});

it("a composite says its version and attributes", () => {
  expect(saying(scene("frame_calls"), "composite my.scaled_sine")).toEqual(["version 2", "scale=2.0"]);
});

it("tangents have a line of their own", () => {
  const drawn = scene("frame_tangents");
  const wires = drawn.wires.filter((wire) => wire.role === "tangent").map((wire) => ends(drawn, wire).join(" > "));
  expect(wires).toContain("mul > add_any");
  expect(drawn.wires.some((wire) => wire.role === "cotangent")).toBe(false);
});

describe("a switch of many branches and its transpose", () => {
  const drawn = scene("frame_switch");
  const cards = drawn.frames.filter((frame) => frame.kind === "body");

  it("stand in rows, each branch in the row of its twin", () => {
    const twins = cards.filter((card) => card.title === "branch 3").map((card) => card.eqn);
    expect(twins).toHaveLength(2);
    const [f, b] = twins.map((at) => cards.filter((card) => card.eqn === at).sort((p, q) => p.title.localeCompare(q.title)));
    expect(f!.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4, 5].map((k) => `branch ${k}`));
    // No card of the second row begins before all of the first end, on either side.
    for (const side of [f!, b!]) {
      const ends = Math.max(...side.slice(0, 3).map(({ box }) => box.y + box.h));
      for (const { box } of side.slice(3)) expect(box.y).toBeGreaterThan(ends);
    }
    const row = (side: typeof cards, from: number): [number, number] => {
      const boxes = side.slice(from, from + 3).map(({ box }) => box);
      return [Math.min(...boxes.map(({ y }) => y)), Math.max(...boxes.map(({ y, h }) => y + h))];
    };
    for (const from of [0, 3]) {
      const [a, z] = row(f!, from);
      const [c, y] = row(b!, from);
      expect(Math.min(z, y) - Math.max(a, c)).toBeGreaterThan(0.7 * Math.min(z - a, y - c));
    }
  });

  it("no wire leads from a branch that leaves a residual empty, and the pill says which ones set it", () => {
    const from = drawn.nodes.filter((node) => node.kind === "result").flatMap((node) => lines(drawn, node));
    expect(from).toContain("from branch 0, 3, 5");
    const empty = drawn.chips.filter((chip) => chip.text.startsWith("empty"));
    expect(empty.length).toBeGreaterThan(0);
    for (const chip of empty) {
      const pill = drawn.ports.find((port) => port.key === chip.port)!.owner;
      expect(drawn.wires.some((wire) => wire.from.startsWith(`${pill}>`))).toBe(false);
    }
    expect(drawn.nodes.some((node) => /^empty2?$/.test(node.title))).toBe(false);
  });

  it("the residuals between them share one thick line, and each of them is a wire of its own", () => {
    const between = drawn.wires.filter((wire) => wire.kind === "cross" && wire.role === "residual");
    const cabled = between.filter((wire) => wire.cable !== null);
    expect(cabled.length).toBeGreaterThan(5);
    expect(new Set(cabled.map(({ cable }) => cable)).size).toBe(1);
    expect(cabled.filter(({ carries }) => carries)).toHaveLength(1);
    expect(drawn.labels.some((label) => /^7 residuals/.test(label.text))).toBe(true);
    expect(new Set(between.map(({ key }) => key)).size).toBe(between.length);
  });
});
