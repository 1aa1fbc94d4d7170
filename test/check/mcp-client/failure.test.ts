import { expect, test } from "bun:test";
import {
  foreignLinesMax,
  issuesCharactersMax,
  readSdkErrorCode,
  describeFailure,
  type FailedServer,
  describeFirstLine,
  describeUnreadable,
  TimeoutError,
  UnusableAnswer,
} from "#check/mcp-client/failure.ts";
import { keepText } from "#kit/text/unsafe-text.ts";
import { toolErrorCharactersMax, readToolError } from "#check/mcp-client/tool-call.ts";

const redact = (text: string): string => text.replaceAll("secret", "S");
const running: FailedServer = { life: "running", exit: undefined, foreignLineCount: 0 };
const ended: FailedServer = { ...running, life: "ended-by-itself" };
const killed: FailedServer = { ...running, life: "ended-by-us", exit: "was killed by SIGKILL" };
const closed = Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });

test.each<[string, Error, FailedServer, string]>([
  [
    "a server that exited",
    closed,
    { ...ended, exit: "ended with code 1" },
    "it ended with code 1 before it answered",
  ],
  ["a server that closed its stdout", closed, ended, "it closed its stdout"],
  ["a server that did not answer", new TimeoutError(), running, "it did not answer within 1.5 s"],
  ["an error", new Error("no"), running, "its answer is not valid: no"],
  ["an error, not the exit that we caused", new Error("no"), killed, "its answer is not valid: no"],
  ["an error without its secret", new Error("a secret"), running, "its answer is not valid: a S"],
  [
    "our own words as they are",
    new UnusableAnswer("its list has no end"),
    running,
    "its list has no end",
  ],
  [
    "a timeout, not the exit that we caused",
    new TimeoutError(),
    killed,
    "it did not answer within 1.5 s",
  ],
  ["our own end", closed, killed, "mcp-meter stopped the server before it answered"],
  [
    "one foreign line",
    new TimeoutError(),
    { ...running, foreignLineCount: 1 },
    "it did not answer within 1.5 s, and it wrote 1 line to stdout that is not JSON-RPC",
  ],
  [
    "as many foreign lines as are read",
    new TimeoutError(),
    { ...running, foreignLineCount: foreignLinesMax },
    "it did not answer within 1.5 s, and it wrote 10000 lines to stdout that are not JSON-RPC",
  ],
  [
    "more foreign lines than are read",
    closed,
    { ...killed, foreignLineCount: foreignLinesMax + 1 },
    "it wrote more than 10000 lines to stdout that are not JSON-RPC",
  ],
])("describeFailure names %s", (_, error, server, failure) => {
  expect(describeFailure(error, server, { timeoutMs: 1_500, redact })).toBe(failure);
});

test("describeFirstLine names the first fault of an answer that does not fit the protocol", () => {
  const issue = { code: "invalid_value", path: ["tools", 0, "inputSchema", "type"] };
  const message = 'Invalid input: expected "object"';
  const issues = JSON.stringify(
    [
      { ...issue, message },
      { path: [], message: "more" },
    ],
    null,
    2,
  );
  expect(describeFirstLine(new Error(`Invalid result for tools/list: ${issues}`))).toBe(
    `Invalid result for tools/list: tools.0.inputSchema.type: ${message}`,
  );
  for (const text of ["a [\n1,", "a [\n]", 'a [\n{"message":7}]', "a [\nnull]"]) {
    expect(describeFirstLine(text)).toBe("a [");
  }
  const fault = '[\n{"message":"no"}';
  const longest = `${fault.padEnd(issuesCharactersMax - 1)}]`;
  expect(describeFirstLine(longest)).toBe(": no");
  expect(describeFirstLine(`${longest} `)).toBe("[");
});

test("describeFirstLine is one short, sanitised line of anything", () => {
  expect(describeFirstLine(new Error("a\u001b[2J\nb"))).toBe("a\\u001b[2J");
  expect(describeFirstLine("x".repeat(500))).toHaveLength(200);
  expect(describeFirstLine(undefined)).toBe("undefined");
});

test.each<[unknown, string | null]>([
  [{ content: [{ type: "text", text: "no\n  such\u001b[2J row" }] }, "no such\\u001b[2J row"],
  [
    { content: [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }] },
    "a b",
  ],
  [{ content: [], structuredContent: { code: 7 } }, '{"code":7}'],
  [{ content: [{ type: "text", text: "" }] }, null],
  [{}, null],
  [7, null],
])("readToolError of %j is %p", (result, expected) => {
  expect(readToolError(result, keepText)).toBe(expected);
});

test("readToolError is short", () => {
  const text = "x".repeat(toolErrorCharactersMax + 9);
  expect(readToolError({ content: [{ type: "text", text }] }, keepText)).toHaveLength(
    toolErrorCharactersMax,
  );
});

test("readErrorCode is the code of an error that has one", () => {
  expect([readSdkErrorCode(closed), readSdkErrorCode(null), readSdkErrorCode(3)]).toEqual([
    "CONNECTION_CLOSED",
    undefined,
    undefined,
  ]);
});

test("a secret is removed before a text is shortened", () => {
  const text = `${"x".repeat(toolErrorCharactersMax - 3)}secret`;
  expect(readToolError({ content: [{ type: "text", text }] }, redact)).toEndWith("xS");
  expect(describeFirstLine(new Error(`${"x".repeat(198)}secret`), redact)).toEndWith("xS");
});

test("describeUnreadable names the request and the limit", () => {
  expect(describeUnreadable({ size: 10_485_760, cause: "too_long" }, "tools/list")).toBe(
    "its answer to tools/list has 10,485,760 bytes, more than the 8 MiB that mcp-meter reads",
  );
  expect(describeUnreadable({ size: 9, cause: "too_deep" }, "tools/call")).toBe(
    "its answer to tools/call cannot be read, because it is nested too deeply or has too many parts",
  );
  expect(describeUnreadable({ size: 9, cause: "batch" }, "tools/call")).toBe(
    "its answer to tools/call is in a batch, so clients ignore it",
  );
});
