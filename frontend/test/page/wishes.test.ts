import { describe, expect, it } from "vitest";
import type { Program, Trace } from "../../src/model/types.ts";
import { fresh } from "../../src/page/state/saved.ts";
import { plain } from "../../src/page/state/transforms.ts";
import type { Answer, State, Wish } from "../../src/page/state/types.ts";
import { type Action, currentProgram, initial, update } from "../../src/page/state/update.ts";
import { chainOf, failedWishes, hasMoved, inShort, reconcile, stepWords, wishKey, wishName, wishOn } from "../../src/page/state/wishes.ts";
import { problem, trace, trainingScan } from "./programs.ts";

const grad = plain("grad");
const vmap = { ...plain("vmap"), in_axes: [0, null], size: 4 };
const named = (id: string, name: string, parts: Partial<Program> = {}): Program => ({ ...trainingScan(), id, name, ...parts });
const loss = named("p0", "loss");
const made = (base: string, ...steps: Wish["steps"]): Program =>
  named(`${base}.t${steps.length}`, wishName("loss", steps), { made_from: { program: base, steps: [...steps] } });
const wish = (...steps: Wish["steps"]): Wish => ({ base: { id: "p0", name: "loss" }, steps });

const saved = fresh("code");
let run = 0;
function answer(state: State, given: Trace, parts: Partial<Answer> = {}): State {
  run += 1;
  const answered: Answer = { trace: given, source: state.source, asked: state.asked, wishes: state.wishes, ...parts };
  return update(update(state, { type: "run", id: run }), { type: "answer", id: run, answer: answered });
}
const start = (): State => answer(initial(saved), trace([loss]));
const following = (state: State, ...actions: Action[]): State => actions.reduce(update, state);

describe("words", () => {
  it("steps and names as Python writes them", () => {
    expect(stepWords(grad)).toBe("grad");
    expect(stepWords({ ...grad, argnums: [1] })).toBe("grad(argnums=1)");
    expect(stepWords({ ...grad, argnums: [0, 2], has_aux: true })).toBe("grad(argnums=(0, 2), has_aux=True)");
    expect(stepWords({ ...vmap, in_axes: [null] })).toBe("vmap(in_axes=(None,), size=4)");
    expect(wishName("loss", [grad, vmap])).toBe("vmap(grad(loss))");
  });
});

describe("a wish", () => {
  it("on the result of another goes on with its chain", () => {
    expect(wishOn(trace([loss, made("p0", grad)]), made("p0", grad), vmap)).toEqual(wish(grad, vmap));
    expect(wishOn(trace([loss]), loss, grad)).toEqual(wish(grad));
  });

  it("comes forward when its program arrives, and not a second time", () => {
    const asked = update(start(), { type: "wish", wish: wish(grad) });
    expect(asked.wishes).toEqual([wish(grad)]);
    const arrived = answer(asked, trace([loss, made("p0", grad)]));
    expect(currentProgram(arrived)?.name).toBe("grad(loss)");
    expect(arrived.awaited).toBeNull();
    const back = answer(update(arrived, { type: "program", id: "p0" }), trace([loss, made("p0", grad)]));
    expect(currentProgram(back)?.name).toBe("loss");
  });

  it("that is there already is only chosen", () => {
    const both = answer(update(start(), { type: "wish", wish: wish(grad) }), trace([loss, made("p0", grad)]));
    const again = following(both, { type: "program", id: "p0" }, { type: "wish", wish: wish(grad) });
    expect(again.wishes).toHaveLength(1);
    expect(currentProgram(again)?.name).toBe("grad(loss)");
    expect(again.awaited).toBeNull();
  });

  it("that is removed goes at once, and the nearest of its chain comes forward", () => {
    const chain = [made("p0", grad), made("p0", grad, vmap)];
    const asked = following(start(), { type: "wish", wish: wish(grad) }, { type: "wish", wish: wish(grad, vmap) });
    const arrived = answer(asked, trace([loss, ...chain]));
    expect(currentProgram(arrived)?.name).toBe("vmap(grad(loss))");
    const one = update(arrived, { type: "unwish", key: wishKey(wish(grad, vmap)) });
    expect(currentProgram(one)?.name).toBe("grad(loss)");
    expect(one.shown).toBe(one.latest);
    const none = update(one, { type: "unwish", key: wishKey(wish(grad)) });
    expect([currentProgram(none)?.name, none.wishes, none.shown?.trace.programs.length]).toEqual(["loss", [], 1]);
  });
});

describe("after an edit", () => {
  it("wishes stay with their program", () => {
    expect(reconcile([wish(grad)], trace([named("p0", "other"), named("p1", "loss")]))).toEqual({
      wishes: [{ base: { id: "p1", name: "loss" }, steps: [grad] }],
      dropped: [],
    });
    const wishes = [wish(grad)];
    expect(reconcile(wishes, trace([loss])).wishes).toBe(wishes);
    expect(hasMoved(wishes, [...wishes])).toBe(false);
    expect(hasMoved(wishes, [{ base: { id: "p1", name: "loss" }, steps: [grad] }])).toBe(true);
    expect(hasMoved(wishes, [])).toBe(true);
  });

  it("what was made of the neighbour meanwhile is not shown", () => {
    const asked = update(start(), { type: "wish", wish: wish(grad) });
    const moved = answer(asked, trace([named("p0", "other"), named("p1", "loss"), made("p0", grad)]));
    expect(moved.shown?.trace.programs.map(({ id }) => id)).toEqual(["p0", "p1"]);
    expect(moved.wishes[0]?.base.id).toBe("p1");
    expect(moved.awaited).toBe(wishKey(moved.wishes[0] as Wish));
  });

  it("the program that is shown comes forward again with its new id", () => {
    const shown = answer(update(start(), { type: "wish", wish: wish(grad) }), trace([loss, made("p0", grad)]));
    const moved = answer(shown, trace([named("p0", "other"), named("p1", "loss")]));
    expect(currentProgram(moved)?.name).toBe("other");
    const again = answer(moved, trace([named("p0", "other"), named("p1", "loss"), made("p1", grad)]));
    expect(currentProgram(again)?.name).toBe("grad(loss)");
    const elsewhere = update(moved, { type: "program", id: "p1" });
    expect(currentProgram(answer(elsewhere, trace([named("p0", "other"), named("p1", "loss"), made("p1", grad)])))?.name).toBe("loss");
  });

  it("a wish that was taken back between two lines of an answer stays away, and nothing is said twice", () => {
    const asked = update(start(), { type: "wish", wish: wish(grad) });
    const lines = [trace([loss, made("p0", grad)]), trace([loss, made("p0", grad)])];
    const back = update(answer(asked, lines[0] as Trace), { type: "unwish", key: wishKey(wish(grad)) });
    const line: Answer = { trace: lines[1] as Trace, source: "code", asked: null, wishes: asked.wishes };
    const second = update(back, { type: "answer", id: back.run.id, answer: line });
    expect([second.wishes, second.shown?.trace.programs.map(({ name }) => name)]).toEqual([[], ["loss"]]);
    const gone = answer(asked, trace([named("p0", "other")]));
    const twice = update(
      { ...gone, wishes: asked.wishes },
      { type: "answer", id: gone.run.id, answer: { ...line, trace: trace([named("p0", "other")]) } },
    );
    expect(twice.notices).toEqual(gone.notices);
  });

  it("wishes without a program are given up with a notice, but not while the paste fails", () => {
    const asked = update(start(), { type: "wish", wish: wish(grad) });
    const gone = answer(asked, trace([named("p0", "other")]));
    expect(gone.wishes).toEqual([]);
    expect(gone.notices).toEqual(["grad(loss) was given up: loss is no longer among the programs of this code."]);
    expect(update(gone, { type: "read", notice: gone.notices[0] ?? "" }).notices).toEqual([]);
    const failed = answer(asked, trace([], { diagnostics: [problem(null)] }));
    expect([failed.wishes, failed.notices]).toEqual([[wish(grad)], []]);
    const unknown = trace([named("p0", "other")], { diagnostics: [problem("transforms[0].program")] });
    expect(answer(asked, unknown).notices).toHaveLength(1);
  });

  it("another example takes nothing along but what was typed", () => {
    const state = following(start(), { type: "wish", wish: wish(grad) }, { type: "typed", fun: "f", name: "x", value: "f32[]" });
    const loaded = update(state, { type: "load", source: "new" });
    expect([loaded.source, loaded.wishes, loaded.asked, loaded.typed]).toEqual(["new", [], null, { f: { x: "f32[]" } }]);
  });

  it("types for a function that the code does not define any more are put aside", () => {
    const asked = { fun: "loss", signature: { w: "f32[3]" }, args: "" };
    const state = update(start(), { type: "ask", asked });
    const lost = answer(state, trace([], { diagnostics: [problem("fun", "name 'loss' is not defined", { type: "NameError" })] }));
    expect(lost.asked).toBeNull();
    expect(lost.notices[0]).toContain("The types for loss");
    expect(lost.typed).toEqual({ loss: { w: "f32[3]" } });
    const bad = answer(state, trace([], { diagnostics: [problem("signature.w", "no", { type: "NameError" })] }));
    expect(bad.asked).toBe(asked);
    expect(bad.bar.open).toBe(true);
  });
});

describe("failures and chains", () => {
  const wishes = [wish(grad), wish(grad, vmap)];
  const failing = trace([loss, made("p0", grad)], { diagnostics: [problem("transforms[1].steps[1]", "no batch"), problem(null)] });
  const latest: Answer = { trace: failing, source: "code", asked: null, wishes };

  it("stand at the step of the wish that was sent", () => {
    expect(failedWishes(latest, wishes).map(({ wish: w, link, diagnostic }) => [w, link, diagnostic.message])).toEqual([
      [wish(grad, vmap), 2, "no batch"],
    ]);
    expect(failedWishes(latest, [wish(grad)])).toEqual([]);
    const fields = ["transforms[1]", "transforms[1].steps", "transforms[1].program", "transforms[7].steps[0]", "signature.w"];
    const others = { ...latest, trace: trace([loss], { diagnostics: fields.map((field) => problem(field)) }) };
    expect(failedWishes(others, wishes).map(({ link }) => link)).toEqual([2, 2, 0]);
    const mild = { ...latest, trace: trace([loss], { diagnostics: [problem("transforms[0]", "slow", { severity: "warning" })] }) };
    expect(failedWishes(mild, wishes)).toEqual([]);
  });

  it("say the beginning of a long message", () => {
    expect(inShort("no batch")).toBe("no batch");
    expect(inShort("a\nb\nc\nd\n")).toBe("a\nb\nc…");
    expect(inShort("a\n\nb")).toBe("a…");
    expect(inShort("x".repeat(1000))).toHaveLength(300);
  });

  it("name every program on the way that is there", () => {
    expect(chainOf(failing.programs, wish().base, [grad, vmap])).toEqual([
      { text: "loss", program: "p0" },
      { text: "grad", program: "p0.t1" },
      { text: "vmap(in_axes=(0, None), size=4)", program: null },
    ]);
    expect(chainOf([], { id: "p9", name: "gone" }, [grad])[0]).toEqual({ text: "gone", program: null });
  });
});
