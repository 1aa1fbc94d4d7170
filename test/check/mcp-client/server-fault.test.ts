import { expect, test } from "bun:test";
import {
  foreignLinesMax,
  type FailedServer,
  RefusedRequest,
  TimeoutError,
  UnusableAnswer,
} from "#check/mcp-client/failure.ts";
import type { ServerFault } from "#check/mcp-client/stdio-server.ts";
import { makeServerFault } from "#check/mcp-client/connection.ts";

const running: FailedServer = { life: "running", exit: undefined, foreignLineCount: 0 };
const ended: FailedServer = { ...running, life: "ended-by-itself", exit: "ended with code 1" };
const refused = new RefusedRequest("tools/list", -32_603, "the key is canary");

test.each<[string, unknown, FailedServer, ServerFault]>([
  [
    "an end of its own comes first",
    refused,
    ended,
    { kind: "exited", reason: "it ended with code 1 before it answered" },
  ],
  [
    "silence",
    new TimeoutError(),
    running,
    { kind: "timeout", reason: "it did not answer within 2 s" },
  ],
  [
    "a JSON-RPC error, without its message",
    refused,
    running,
    { kind: "refused", reason: "it refused tools/list (-32603)" },
  ],
  [
    "an answer that is of no use, in our words",
    new UnusableAnswer("its list of tools has no end"),
    running,
    { kind: "invalid_answer", reason: "its list of tools has no end" },
  ],
  [
    "any other error, without its message",
    new Error("canary"),
    { ...running, foreignLineCount: 1 },
    {
      kind: "invalid_answer",
      reason: "its answer is not valid, and it wrote 1 line to stdout that is not JSON-RPC",
    },
  ],
])("%s", (_name, error, server, fault) => {
  expect(makeServerFault(error, server, 2_000)).toEqual(fault);
});

test("a flood of lines that are not JSON-RPC is named", () => {
  const flooding = { ...running, foreignLineCount: foreignLinesMax + 1 };
  expect(makeServerFault(new Error("canary"), flooding, 1).reason).toStartWith(
    "it wrote more than 10000",
  );
});
