import { expect, test } from "bun:test";
import { codeOfError, failureOf, Late, messageOf } from "#mcp-client/failure.ts";

const living = { exit: undefined, foreignLines: 0 };
const closed = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });

test.each([
  [
    "one that ended",
    closed,
    { exit: "ended with code 1", foreignLines: 0 },
    "it ended with code 1 before it answered",
  ],
  ["one that is late", new Late(), living, "it did not answer within 1.5 s"],
  ["one that closed its stdout", closed, living, "it closed its stdout"],
  ["one with another error", new Error("no"), living, 'it answered with "no"'],
  [
    "one that wrote garbage",
    new Late(),
    { ...living, foreignLines: 2 },
    "it did not answer within 1.5 s and wrote 2 lines that are no JSON-RPC",
  ],
])("failureOf %s", (_, error, server, failure) => {
  expect(failureOf(error, server, 1_500)).toBe(failure);
});

test("messageOf is one short, harmless line of anything", () => {
  expect(messageOf(new Error("a\u001b[2J\nb"))).toBe("a\\u001b[2J");
  expect(messageOf("x".repeat(500))).toHaveLength(200);
  expect(messageOf(undefined)).toBe("undefined");
});

test("codeOfError finds a code, and none where there is none", () => {
  expect([codeOfError(closed), codeOfError(null), codeOfError(3)]).toEqual([
    "CONNECTION_CLOSED",
    undefined,
    undefined,
  ]);
});
