// What comes packed in an answer in parts, made whole: the program is then like any other. Every function is a generator that stops after
// some rows, so that whoever runs it on the main thread can let others have their turn. Nothing that was given is changed.
import { type CalledEqn, eqnOf, laidOut, laidOutWritten } from "./lazy.ts";
import { isPacked, type PackedProgram } from "./packed.ts";
import { numbersOf, Templates } from "./rows.ts";
import { atOnce, type Slices } from "./slices.ts";
import type { Eqn, Jaxpr, LevelText, Module, ModuleValue, Op, Part, Program, Var, Written } from "./types.ts";

/** Rows between two stops: about a millisecond. */
const ROWS = 500;

function* collected<T>(templates: Templates, rows: string, made = (thing: unknown): T => thing as T): Slices<T[]> {
  const found: T[] = [];
  for (const thing of templates.read(rows)) {
    found.push(made(thing));
    if (found.length % ROWS === 0) yield;
  }
  return found;
}

function* wholeJaxpr(jaxpr: Jaxpr, templates: Templates): Slices<Jaxpr> {
  const { packed } = jaxpr;
  if (packed == null) return jaxpr;
  const eqns = yield* collected<Eqn>(templates, packed.eqns, (thing) => eqnOf(thing as CalledEqn));
  const names = packed.names.split(" ");
  const vars: Record<string, Var> = {};
  const found = yield* collected<Omit<Var, "name">>(templates, packed.vars);
  for (const [i, variable] of found.entries()) {
    vars[variable.id] = { ...variable, name: names[i] ?? "" };
    if (i % ROWS === 0) yield;
  }
  return { ...jaxpr, eqns, vars, packed: null };
}

function* wholeJaxprs(jaxprs: Program["jaxprs"], texts: readonly string[]): Slices<Program["jaxprs"]> {
  const templates = new Templates(texts);
  const whole: Record<string, Jaxpr> = {};
  for (const [id, jaxpr] of Object.entries(jaxprs)) {
    whole[id] = yield* wholeJaxpr(jaxpr, templates);
    yield;
  }
  return whole;
}

export function* wholeProgram(program: Program): Slices<Program> {
  if (!isPacked(program)) return program;
  const jaxprs = yield* wholeJaxprs(program.jaxprs, program.templates);
  const templates = new Templates(program.templates);
  const written: Written[] = [];
  for (const each of program.written ?? []) {
    written.push(each.packed === "" ? each : laidOutWritten(each, templates));
    yield;
  }
  return { ...program, jaxprs, written, templates: [] };
}

/** A part; what its module says of the text stays unsaid until the text is there too. */
export function* wholePart(part: Part): Slices<Part> {
  const jaxprs = yield* wholeJaxprs(part.jaxprs, part.templates);
  const texts: Part["texts"] = {};
  for (const [level, text] of Object.entries(part.texts)) texts[level as keyof Part["texts"]] = yield* wholeText(text);
  const modules: Part["modules"] = {};
  const links: Part["links"] = { ...part.links };
  for (const [level, module] of Object.entries(part.modules)) {
    const at = level as keyof Part["modules"];
    modules[at] = yield* wholeModule(module);
    if (module.packed != null) {
      const pairs = yield* collected<[string, string[]]>(new Templates(module.packed.templates), module.packed.links);
      links[at] = Object.fromEntries(pairs);
    }
  }
  return { ...part, jaxprs, texts, modules, links, templates: [] };
}

function* wholeText(text: LevelText): Slices<LevelText> {
  if (text.packed == null) return text;
  const numbers = numbersOf(text.packed.rows);
  const spans: LevelText["spans"] = {};
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    spans[text.packed.letter + numbers[at]] = [numbers[at + 1] ?? 0, numbers[at + 2] ?? 0];
    if (at % (3 * ROWS) === 0) yield;
  }
  return { ...text, spans, packed: null };
}

export function* wholeModule(module: Module): Slices<Module> {
  const { packed } = module;
  if (packed == null) return module;
  const templates = new Templates(packed.templates);
  const blocks: Op[][] = [];
  for (const rows of packed.blocks) blocks.push(yield* collected<Op>(templates, rows));
  const next = blocks.values();
  const functions = module.functions.map((f) => ({
    ...f,
    region: { ...f.region, blocks: f.region.blocks.map((block) => ({ ...block, ops: next.next().value ?? [] })) },
  }));
  const values = Object.fromEntries(yield* collected<[string, ModuleValue]>(templates, packed.values));
  return { ...module, functions, values, packed: null };
}

/**
 * In a worker: a program as it came, with the parts that came after it. Its equations are made when they are asked for: of a large program
 * few are drawn.
 */
export function unpackProgram({ outline, parts }: PackedProgram): Program {
  const jaxprs: Record<string, Jaxpr> = {};
  for (const { jaxprs: some, templates } of [outline, ...parts]) {
    const known = new Templates(templates ?? []);
    for (const [id, jaxpr] of Object.entries(some)) jaxprs[id] = laidOut(jaxpr, known);
  }
  // What the paste's expressions are is not drawn.
  return { ...outline, jaxprs, written: [], templates: [] };
}

export function unpackModule(module: Module): Module {
  return atOnce(wholeModule(module));
}
