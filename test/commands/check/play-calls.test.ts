import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { playCalls } from "#commands/check/play-calls.ts";
import { parseServerOptions } from "#commands/server-options.ts";
import { capturedIo } from "../../support/io.ts";
import { plannedCall } from "../../support/planned.ts";
import { replay, scratch } from "../../support/replay.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const folder = scratch();
afterAll(() => folder.remove());

const secrets: ReadonlyMap<string, string> = new Map();
const planOf = (...tools: readonly string[]) => ({
  calls: tools.map((tool) => plannedCall({ name: tool, tool })),
  secrets,
});

test("playCalls lists the server, makes the calls, and meters the calls but no definition", async () => {
  const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
  const file = folder.write("played.json", { server: "one", tools });
  const child = replay(file, "--answer=40");
  const options = parseServerOptions({ options: {}, operands: [], child }, "check");
  const played = await playCalls(planOf("t", "t"), options, capturedIo());
  if ("interrupted" in played) throw new Error("interrupted");
  const { listing, attempts, records } = played;
  expect(listing).toMatchObject({ server: { name: "one" }, tools });
  const calls = records.filter((record) => record.type === "call");
  expect(calls.map(({ tool, request_id: id }) => [tool, id])).toEqual(
    attempts.map(({ requestId }) => ["t", requestId]),
  );
  expect(calls.every(({ total_tokens: tokens }) => tokens > 40)).toBe(true);
  expect(records.filter(({ type }) => type === "definitions")).toEqual([]);
});

test("playCalls names a failed call's tool that is not listed, with the nearest one", async () => {
  const tools = ["failz", "search"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const child = replay(folder.write("failing.json", { server: "one", tools }), "--answer=2");
  const options = parseServerOptions({ options: {}, operands: [], child }, "check");
  const plan = planOf("search", "fails");
  const played = await playCalls(plan, options, capturedIo());
  if ("interrupted" in played) throw new Error("interrupted");
  expect(played.attempts.map(({ error }) => error)).toEqual([
    null,
    "unknown tool (did you mean failz?)",
  ]);
});
