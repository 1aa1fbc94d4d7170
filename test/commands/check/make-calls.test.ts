import { expect, test } from "bun:test";
import { createRedactor } from "#check/redact-known-values.ts";
import { planExpectations } from "#check/expected-content.ts";
import { makeCalls } from "#commands/check/play-calls.ts";
import { UserError } from "#kit/errors.ts";
import type { ToolCallOutcome, ToolCall } from "#check/mcp-client/tool-call.ts";
import { plannedCall } from "../../support/planned-call.ts";

const redact = createRedactor(new Map([["TOKEN", "s3cret"]]));

function serverWith(text: string, changes: Partial<ToolCallOutcome> = {}) {
  const requests: ToolCall[] = [];
  const call = async (request: ToolCall): Promise<ToolCallOutcome> => {
    requests.push(request);
    const result = { content: [{ type: "text", text }] };
    const ending = { isError: false, errorCode: null, isAnswered: true, error: null, result };
    return { ...ending, requestId: requests.length, line: undefined, ...changes };
  };
  return { asked: requests, call };
}

function terms() {
  const begun: string[] = [];
  return {
    begun,
    timeoutMs: 1_000,
    tools: ["t", "u"].map((name) => ({ name })),
    redact,
    isModern: false,
    validator: { validate: async () => undefined },
    showStep: (activity: string) => void begun.push(activity),
  };
}

test("makeCalls makes every round in order, and names it", async () => {
  const server = serverWith("ok");
  const options = terms();
  const calls = [plannedCall({ name: "a", repeat: 2 }), plannedCall({ name: "b", tool: "u" })];
  const { attempts, failure } = await makeCalls(server, calls, options);
  expect(failure).toBeUndefined();
  expect(server.asked.map(({ tool }) => tool)).toEqual(["t", "t", "u"]);
  expect(attempts.map(({ round, requestId }) => [round, requestId])).toEqual([
    [1, 1],
    [2, 2],
    [1, 3],
  ]);
  expect(options.begun).toEqual(["call 1 of 3: a", "call 2 of 3: a", "call 3 of 3: b"]);
});

test("makeCalls sends values of variables, within the time of the call", async () => {
  const server = serverWith("ok");
  const call = plannedCall({
    arguments: { k: "${TOKEN}" },
    filledArguments: { k: "s3cret" },
    timeoutMs: 5,
  });
  await makeCalls(server, [call, plannedCall()], terms());
  expect(server.asked).toMatchObject([
    { arguments: { k: "s3cret" }, timeoutMs: 5 },
    { arguments: {}, timeoutMs: 1_000 },
  ]);
});

test("makeCalls does not make a call that is skipped", async () => {
  const server = serverWith("ok");
  const calls = [plannedCall({ skip: "slow", repeat: 3 })];
  const { attempts } = await makeCalls(server, calls, terms());
  expect(server.asked).toEqual([]);
  expect(attempts).toMatchObject([{ round: 1, isAnswered: false, requestId: null }]);
});

function expecting(contains: string) {
  const read = planExpectations({ contains });
  return "fault" in read ? expect.unreachable(read.fault) : plannedCall(read);
}

test("makeCalls judges the answer, and the message of an error", async () => {
  const plan = [expecting("found")];
  const wrong = await makeCalls(serverWith("only s3cret"), plan, terms());
  expect(wrong.attempts[0]?.unmet).toMatchObject([{ expected: "found", found: "only ${TOKEN}" }]);
  const refused = serverWith("", { isError: true, error: "not found", result: undefined });
  const { attempts } = await makeCalls(refused, plan, terms());
  expect(attempts[0]?.unmet).toEqual([]);
});

test("makeCalls does not make a call of a tool that is not listed, and names the nearest one", async () => {
  const server = serverWith("ok");
  const calls = [plannedCall({ tool: "serch", repeat: 2, isError: true }), plannedCall()];
  const options = { ...terms(), tools: [{ name: "search" }, { name: "t" }] };
  const { attempts } = await makeCalls(server, calls, options);
  expect(server.asked.map(({ tool }) => tool)).toEqual(["t"]);
  expect(attempts).toMatchObject([
    ...[1, 2].map((round) => ({
      round,
      isAnswered: false,
      failure: "unlisted_tool",
      error:
        'unknown tool "serch" (did you mean search?): the server does not list it, so the call was not made',
    })),
    { isAnswered: true },
  ]);
  expect(attempts[2]).not.toHaveProperty("failure");
});

test("makeCalls keeps what was answered before the server failed, and skips the rest", async () => {
  const server = serverWith("ok");
  const failing = {
    call: async (request: ToolCall): Promise<ToolCallOutcome> => {
      if (request.tool === "u") throw new UserError("The server failed: s3cret", 3);
      return server.call(request);
    },
  };
  const calls = ["t", "u", "t"].map((tool, at) => plannedCall({ name: `call ${at + 1}`, tool }));
  const { attempts, failure } = await makeCalls(failing, calls, terms());
  expect(failure).toMatchObject({
    message: 'Stopped at the call "call 2": The server failed: ${TOKEN}',
    exitCode: 3,
  });
  expect(attempts).toMatchObject([
    { isAnswered: true },
    { failure: "server_failed", error: "The server failed: ${TOKEN}" },
    { planned: { skip: 'The server failed at the call "call 2"' } },
  ]);
  expect(server.asked).toHaveLength(1);
});

test("makeCalls finds the fault of an answer that meets its expectations", async () => {
  const malformed = serverWith("", { result: { content: [{ text: "found" }] } });
  const { attempts } = await makeCalls(malformed, [plannedCall()], terms());
  expect(attempts[0]).toMatchObject({
    isError: false,
    unmet: [],
    fault: { rule: "malformed_answer", text: "content[0] has no type" },
  });
});
