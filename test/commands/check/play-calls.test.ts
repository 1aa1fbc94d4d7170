import { expect, setDefaultTimeout, test } from "bun:test";
import { playCalls } from "#commands/check/play-calls.ts";
import { resolveServer, parseServerOptions } from "#commands/connection-options.ts";
import { capturedIo } from "../../support/io.ts";
import { plannedCall } from "../../support/planned-call.ts";
import { replay, scratch } from "../../support/replay.ts";

setDefaultTimeout(60_000);

const folder = scratch();
const secrets: ReadonlyMap<string, string> = new Map();
const makePlan = (...tools: readonly string[]) => ({
  calls: tools.map((tool) => plannedCall({ name: tool, tool })),
  secrets,
});

function makeOptions(child: readonly string[]) {
  const options = parseServerOptions({ options: {}, operands: [], child }, "check");
  return { ...options, ...resolveServer(options, {}) };
}

test("playCalls lists the server, makes the calls, and meters the calls but no definition", async () => {
  const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
  const file = folder.write("played.json", { server: "one", tools });
  const child = replay(file, "--answer=40");
  const options = makeOptions(child);
  const played = await playCalls(makePlan("t", "t"), options, capturedIo());
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

const played = async (child: string[], ...tools: readonly string[]) => {
  const options = makeOptions(child);
  const visit = await playCalls(makePlan(...tools), options, capturedIo());
  return "interrupted" in visit ? expect.unreachable() : visit;
};

const formatList = (...names: readonly string[]) => ({
  server: "one",
  tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
});

const none = { prompts: [], resourceTemplates: [], skills: [] };

test("playCalls lists the tools again after the calls, also without a notification", async () => {
  const file = folder.write("before.json", formatList("t", "u"));
  const later = folder.write("later.json", formatList("t", "v"));
  const same = await played(replay(file, "--answer=2"), "t");
  expect(same.listsAfterCalls).toEqual({ ...none, tools: formatList("t", "u").tools });
  const changed = await played(replay(file, `--later=${later}`), "t");
  expect(changed.listing.tools).toEqual(formatList("t", "u").tools);
  expect(changed.listsAfterCalls).toEqual({ ...none, tools: formatList("t", "v").tools });
  expect(changed.records.filter(({ type }) => type === "definitions")).toEqual([]);
});

test("playCalls keeps the calls when the list cannot be read again", async () => {
  const file = folder.write("refusing.json", formatList("t"));
  const { attempts, listsAfterCalls } = await played(replay(file, "--later=refused"), "t");
  expect(attempts).toMatchObject([{ isAnswered: true }]);
  expect(listsAfterCalls).toEqual({
    fault: 'The server "one" refused tools/list: fetch failed (-32603)',
  });
});

test("playCalls does not list again when no call was made, or the server failed", async () => {
  const file = folder.write("few.json", formatList("t"));
  expect(await played(replay(file), "x")).toMatchObject({
    listsAfterCalls: undefined,
    attempts: [{ failure: "unlisted_tool" }],
  });
  const dead = await played(replay(file, "--dies=2"), "t", "t", "t");
  expect(dead.listsAfterCalls).toBeUndefined();
  expect(dead.failure?.message).toBe(
    'Stopped at the call "t": The server "one" failed: it ended with code 7 before it answered',
  );
  expect(dead.attempts.map(({ isAnswered, planned }) => [isAnswered, planned.skip])).toEqual([
    [true, undefined],
    [false, undefined],
    [false, 'The server failed at the call "t"'],
  ]);
});
