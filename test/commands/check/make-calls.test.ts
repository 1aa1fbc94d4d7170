import { expect, test } from "bun:test";
import { planExpectations } from "#check/expectation.ts";
import { makeCalls } from "#commands/check/make-calls.ts";
import type { ToolAnswer, ToolCall } from "#mcp-client/connection.ts";
import { plannedCall } from "../../support/planned.ts";

const secrets = new Map([["TOKEN", "s3cret"]]);

/** A server that answers with a text, and remembers its calls. */
function serverWith(text: string, changes: Partial<ToolAnswer> = {}) {
  const asked: ToolCall[] = [];
  const call = async (one: ToolCall): Promise<ToolAnswer> => {
    asked.push(one);
    const result = { content: [{ type: "text", text }] };
    const ending = { isError: false, isAnswered: true, error: null, result };
    return { ...ending, requestId: asked.length, ...changes };
  };
  return { asked, call };
}

function terms() {
  const begun: string[] = [];
  return { begun, timeoutMs: 1_000, begin: (activity: string) => void begun.push(activity) };
}

test("makeCalls makes every round in order, and names it", async () => {
  const server = serverWith("ok");
  const given = terms();
  const calls = [plannedCall({ name: "a", repeat: 2 }), plannedCall({ name: "b", tool: "u" })];
  const attempts = await makeCalls(server, { calls, secrets }, given);
  expect(server.asked.map(({ tool }) => tool)).toEqual(["t", "t", "u"]);
  expect(attempts.map(({ round, requestId }) => [round, requestId])).toEqual([
    [1, 1],
    [2, 2],
    [1, 3],
  ]);
  expect(given.begun).toEqual(["call 1 of 3: a", "call 2 of 3: a", "call 3 of 3: b"]);
});

test("makeCalls sends values of variables, within the time of the call", async () => {
  const server = serverWith("ok");
  const call = plannedCall({ arguments: { k: "${TOKEN}" }, sent: { k: "s3cret" }, timeoutMs: 5 });
  await makeCalls(server, { calls: [call, plannedCall()], secrets }, terms());
  expect(server.asked).toMatchObject([
    { arguments: { k: "s3cret" }, timeoutMs: 5 },
    { arguments: {}, timeoutMs: 1_000 },
  ]);
  expect(server.asked[0]?.clean("it is s3cret")).toBe("it is ${TOKEN}");
});

test("makeCalls does not make a call that is skipped", async () => {
  const server = serverWith("ok");
  const calls = [plannedCall({ skip: "slow", repeat: 3 })];
  const attempts = await makeCalls(server, { calls, secrets }, terms());
  expect(server.asked).toEqual([]);
  expect(attempts).toMatchObject([{ round: 1, isAnswered: false, requestId: null }]);
});

function expecting(contains: string) {
  const read = planExpectations({ contains });
  return "fault" in read ? expect.unreachable(read.fault) : plannedCall(read);
}

test("makeCalls judges the answer, and the message of an error", async () => {
  const plan = { calls: [expecting("found")], secrets };
  const [wrong] = await makeCalls(serverWith("only s3cret"), plan, terms());
  expect(wrong?.unmet).toMatchObject([{ expected: "found", found: "only ${TOKEN}" }]);
  const refused = serverWith("", { isError: true, error: "not found", result: undefined });
  expect((await makeCalls(refused, plan, terms()))[0]?.unmet).toEqual([]);
});
