import { describe, expect, it } from "vitest";
import { distinctions } from "../../src/page/program/differences.ts";
import { fixture, trainingScan } from "./programs.ts";

describe("programs of one name", () => {
  it("are told apart by the one param in which they differ", () => {
    expect(distinctions(fixture("04_unroll_is_a_param").programs)).toEqual(["unroll=1", "unroll=4", "unroll=8"]);
  });
  it("are numbered when that says nothing", () => {
    expect(distinctions([trainingScan(), trainingScan()])).toEqual(["1", "2"]);
  });
  it("need nothing when the name is enough", () => {
    expect(distinctions([trainingScan(), { ...trainingScan(), name: "other" }])).toEqual(["", ""]);
  });
});
