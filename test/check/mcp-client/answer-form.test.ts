import { expect, test } from "bun:test";
import { deserializeMessage as readNewer } from "@modelcontextprotocol/client";
import { deserializeMessage as readOlder } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { hasByteOrderMark, findIgnoreCause } from "#check/mcp-client/failure.ts";
import { bytesOf } from "../../support/bytes.ts";

function readers(line: string): boolean[] {
  return [readOlder, readNewer].map((read) => {
    try {
      read(line);
      return true;
    } catch {
      return false;
    }
  });
}

const result = { content: [] };
const answer = { jsonrpc: "2.0", id: 1, result };
const error = { jsonrpc: "2.0", id: 1, error: { code: -1, message: "a", data: 7, other: 7 } };

test.each([
  answer,
  { ...answer, id: "a" },
  { ...answer, result: { ...result, _meta: {}, other: null } },
  error,
  { jsonrpc: "2.0", method: "notifications/message", params: {} },
  { jsonrpc: "2.0", id: 1, method: "ping" },
])("findIgnoreCause: clients read %j", (message) => {
  expect(findIgnoreCause(message)).toBeUndefined();
  expect(readers(JSON.stringify(message))).toEqual([true, true]);
});

test.each([
  [{ ...answer, result: { _meta: "a" } }, "meta"],
  [{ ...answer, result: { _meta: null } }, "meta"],
  [{ ...answer, other: 1 }, "not_response"],
  [{ ...answer, error: error.error }, "not_response"],
  [{ ...answer, result: [] }, "not_response"],
  [{ ...answer, result: "a" }, "not_response"],
  [{ ...error, error: { message: "a" } }, "not_response"],
  [{ ...error, error: { code: 1.5, message: "a" } }, "not_response"],
  [{ ...error, error: "a" }, "not_response"],
] as const)("ignoredForm: clients ignore %j", (message, form) => {
  expect(findIgnoreCause(message)).toBe(form);
  expect(readers(JSON.stringify(message))).toEqual([false, false]);
});

test("clients ignore a batch, a byte order mark, and what is not JSON", () => {
  const line = JSON.stringify(answer);
  for (const ignored of [`[${line}]`, `\uFEFF${line}`, line.replace("[]", "NaN")]) {
    expect(readers(ignored)).toEqual([false, false]);
  }
  expect(hasByteOrderMark(bytesOf(`\uFEFF${line}`))).toBe(true);
  expect(hasByteOrderMark(bytesOf(line))).toBe(false);
  expect(hasByteOrderMark(bytesOf(""))).toBe(false);
});

// Members of `_meta` matter in the 2025 era, by which the result is judged later.
test("findIgnoreCause does not judge the members of _meta", () => {
  expect(findIgnoreCause({ ...answer, result: { _meta: { progressToken: {} } } })).toBeUndefined();
});
