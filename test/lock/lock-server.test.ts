import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { lockServer } from "#lock/lock-server.ts";
import { sha256 } from "#os/sha256.ts";
import type { JsonObject } from "#wire/json.ts";
import { countedReader } from "../support/readers.ts";

const terms = { reader: countedReader(), thresholds: riskThresholdsDefault, hash: sha256 };

function lockOfTool(tool: JsonObject) {
  const listing = {
    server: { name: "s", version: "1", protocol_version: null, era: null },
    instructions: "Do.",
    tools: [tool],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  return lockServer(listing, terms);
}

test("lockServer is the same whatever the order of a server's keys", () => {
  const one = { name: "t", description: "d", inputSchema: { a: {}, b: {} } };
  const other = { inputSchema: { b: {}, a: {} }, description: "d", name: "t" };
  expect(lockOfTool(other)).toEqual(lockOfTool(one));
  expect(lockOfTool(one)).toMatchObject({ server: { name: "s" }, tools: [{ name: "t" }] });
});
