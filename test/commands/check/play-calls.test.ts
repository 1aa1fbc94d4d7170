import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { makeCalls, playCalls } from "#commands/check/play-calls.ts";
import { parseServerOptions } from "#commands/server-options.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const folder = scratch();
afterAll(() => folder.remove());

function planned(tool: string, repeat = 1) {
  const call = { name: tool, tool, arguments: {}, isError: false, budgetTokens: undefined };
  return { ...call, repeat };
}

test("makeCalls makes every round in order", async () => {
  const asked: string[] = [];
  const server = {
    call: async (tool: string) => {
      asked.push(tool);
      return { isError: false, error: null, requestId: asked.length };
    },
  };
  const attempts = await makeCalls(server, [planned("a", 2), planned("b")], 1_000);
  expect(asked).toEqual(["a", "a", "b"]);
  expect(attempts.map(({ round, requestId }) => [round, requestId])).toEqual([
    [1, 1],
    [2, 2],
    [1, 3],
  ]);
});

test("playCalls lists the server, makes the calls, and meters the calls but no definition", async () => {
  const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
  const file = folder.write("played.json", { server: "one", tools });
  const child = replay(file, "--answer=40");
  const options = parseServerOptions({ options: {}, operands: [], child }, "check");
  const played = await playCalls([planned("t", 2)], options, capturedIo());
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
  const plan = [planned("search"), planned("fails")];
  const played = await playCalls(plan, options, capturedIo());
  if ("interrupted" in played) throw new Error("interrupted");
  expect(played.attempts.map(({ error }) => error)).toEqual([
    null,
    "unknown tool (did you mean failz?)",
  ]);
});
