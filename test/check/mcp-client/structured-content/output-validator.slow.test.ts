import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { OutputValidator } from "#check/mcp-client/structured-content/output-validator.ts";
import { capturedIo } from "../../../support/io.ts";
import { Spawned } from "../host.ts";
import { allowed } from "../../../support/measure.ts";
import { eventually } from "../../../support/wait.ts";
import { executable } from "../../../support/servers.ts";
import { isGone } from "../../../support/processes.ts";

setDefaultTimeout(120_000);

// The executable starts in a fraction of the time, which the limit below has to allow.
const validatorCommand = [executable(), "validate-structured-content"];
const io = { ...capturedIo(), validatorCommand };
let validator = new OutputValidator(io);
afterEach(() => validator.close());

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

test("OutputValidator validates in a process of its own, which starts with the first schema", async () => {
  using spawned = new Spawned();
  expect(await validator.validate("t", {}, false)).toBeUndefined();
  expect(spawned.pids).toEqual([]);
  expect(await validator.add("t", { type: "object", required: ["a"] }, false)).toBeUndefined();
  expect(await validator.add("u", { type: "object", $ref: "#/x" }, false)).toEqual({
    reason: "can't resolve reference #/x from id #",
    rejectedBy: "both",
  });
  expect(await validator.validate("t", {}, false)).toEqual({
    pointer: "",
    reason: 'must have the property "a"',
    isSdk1Only: false,
  });
  expect(await validator.validate("t", { a: "x".repeat(1_000_000) }, false)).toBeUndefined();
  expect(await validator.validate("u", {}, false)).toBeUndefined();
  expect(spawned.pids).toHaveLength(1);
});

test.each([
  ["a schema of branches that call themselves", doubling, nested(60)],
  [
    "a regular expression",
    { type: "object", properties: { a: { pattern: "^.*.*.*.*.*=$" } } },
    { a: "x".repeat(100_000) },
  ],
])("OutputValidator ends a validation that takes too long: %s", async (_, schema, structure) => {
  using spawned = new Spawned();
  validator = new OutputValidator(io, allowed(800));
  expect(await validator.add("slow", schema, false)).toBeUndefined();
  expect(await validator.add("t", { type: "object", required: ["a"] }, false)).toBeUndefined();
  expect(await validator.validate("slow", structure, false)).toBe("too_slow");
  expect(await validator.validate("t", {}, false)).toMatchObject({ pointer: "" });
  expect(spawned.pids).toHaveLength(2);
  validator.close();
  for (const pid of spawned.pids) await eventually("its end", () => isGone(pid));
});

test("OutputValidator compiles nothing after a schema that takes too long", async () => {
  validator = new OutputValidator(io, 0);
  expect(await validator.add("slow", { type: "object" }, false)).toEqual({
    reason: "takes too long to compile, and would keep a client busy",
    rejectedBy: "unknown",
  });
  expect(await validator.add("t", { type: "object", $ref: "#/x" }, false)).toBeUndefined();
  expect(await validator.validate("t", {}, false)).toBeUndefined();
});

test("OutputValidator says so when its process ends", async () => {
  validator = new OutputValidator({ ...io, validatorCommand: [process.execPath, "-e", "0"] });
  expect(await validator.add("t", { type: "object" }, false)).toEqual({
    reason: "crashes the process that compiles it",
    rejectedBy: "unknown",
  });
});
