import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { StructureComparer } from "#check/mcp-client/structures/structure-comparer.ts";
import { capturedIo } from "../../../support/io.ts";
import { Spawned } from "../host.ts";
import { allowed } from "../../../support/measure.ts";
import { eventually } from "../../../support/wait.ts";
import { isGone } from "../../../support/processes.ts";

setDefaultTimeout(120_000);

const io = capturedIo();
let comparer = new StructureComparer(io);
afterEach(() => comparer.close());

const doubling = {
  type: "object",
  $defs: {
    a: {
      anyOf: [
        { properties: { x: { $ref: "#/$defs/a" } }, required: ["x"] },
        { properties: { x: { $ref: "#/$defs/a" } }, required: ["x"] },
      ],
    },
  },
  $ref: "#/$defs/a",
};

const nested = (levels: number): unknown => (levels === 0 ? {} : { x: nested(levels - 1) });

test("StructureComparer compares in a process of its own, which starts with the first schema", async () => {
  using spawned = new Spawned();
  expect(await comparer.compare("t", {}, false)).toBeUndefined();
  expect(spawned.pids).toEqual([]);
  expect(await comparer.add("t", { type: "object", required: ["a"] }, false)).toBeUndefined();
  expect(await comparer.add("u", { type: "object", $ref: "#/x" }, false)).toEqual({
    reason: "can't resolve reference #/x from id #",
    by: "both",
  });
  expect(await comparer.compare("t", {}, false)).toEqual({
    pointer: "",
    reason: 'must have the property "a"',
    isOlderOnly: false,
  });
  expect(await comparer.compare("t", { a: "x".repeat(1_000_000) }, false)).toBeUndefined();
  expect(await comparer.compare("u", {}, false)).toBeUndefined();
  expect(spawned.pids).toHaveLength(1);
});

test.each([
  ["a schema of branches that call themselves", doubling, nested(60)],
  [
    "a regular expression",
    { type: "object", properties: { a: { pattern: "^.*.*.*.*.*=$" } } },
    { a: "x".repeat(100_000) },
  ],
])("StructureComparer ends a comparison that takes too long: %s", async (_, schema, structure) => {
  using spawned = new Spawned();
  comparer = new StructureComparer(io, allowed(3_000));
  expect(await comparer.add("slow", schema, false)).toBeUndefined();
  expect(await comparer.add("t", { type: "object", required: ["a"] }, false)).toBeUndefined();
  expect(await comparer.compare("slow", structure, false)).toBe("too_slow");
  expect(await comparer.compare("t", {}, false)).toMatchObject({ pointer: "" });
  expect(spawned.pids).toHaveLength(2);
  comparer.close();
  for (const pid of spawned.pids) await eventually("its end", () => isGone(pid));
});

test("StructureComparer compiles nothing after a schema that takes too long", async () => {
  comparer = new StructureComparer(io, 0);
  expect(await comparer.add("slow", { type: "object" }, false)).toEqual({
    reason: "takes too long to compile, and would keep a client busy",
    by: "unknown",
  });
  expect(await comparer.add("t", { type: "object", $ref: "#/x" }, false)).toBeUndefined();
  expect(await comparer.compare("t", {}, false)).toBeUndefined();
});

test("StructureComparer says so when its process ends", async () => {
  comparer = new StructureComparer({ ...io, comparer: [process.execPath, "-e", "0"] });
  expect(await comparer.add("t", { type: "object" }, false)).toEqual({
    reason: "crashes the process that compiles it",
    by: "unknown",
  });
});
