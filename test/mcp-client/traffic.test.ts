import { describe, expect, test } from "bun:test";
import { isAnswerTo, requestIdIn, Traffic } from "#mcp-client/traffic.ts";
import type { Side } from "#wire/side.ts";
import { LineGatherer } from "#wire/line.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

const lineOf = (text: string) => {
  const gatherer = new LineGatherer();
  gatherer.add(bytesOf(text));
  return gatherer.take();
};

const traffic = (clean?: (text: string) => string) => new Traffic(() => undefined, clean);
const result = '{"jsonrpc":"2.0","id":7,"result":{}}';
const unreadable = { jsonrpc: "2.0", id: 7, error: { code: -31_901, message: "unreadable" } };

describe("Traffic", () => {
  test("hands on the lines of both directions, in their order", () => {
    const lines: [Side, string][] = [];
    const both = new Traffic((from, { bytes }) => void lines.push([from, textOf(bytes)]));
    const sent = both.sent({ jsonrpc: "2.0", id: 7, method: "ping" });
    both.received(lineOf(result));
    both.receivedBody(lineOf("junk"));
    expect(lines).toEqual([
      ["client", textOf(sent)],
      ["server", result],
      ["server", "junk"],
    ]);
    expect(textOf(sent)).toEndWith("}\n");
    expect(both.receivedBytes).toBe(result.length + 4);
  });

  test("remembers the last request, and the line of the last result", () => {
    const one = traffic();
    expect(one.lastRequest).toBeUndefined();
    one.sent({ jsonrpc: "2.0", id: 7, method: "ping" });
    one.sent({ jsonrpc: "2.0", method: "notifications/x" });
    one.sent({ jsonrpc: "2.0", id: 8, result: {} });
    expect(one.lastRequest).toBe(7);
    expect(one.received(lineOf(result))).toEqual([JSON.parse(result)]);
    expect([one.resultLine(7), one.resultLine("7"), one.resultLine(null)]).toEqual([
      result,
      undefined,
      undefined,
    ]);
  });

  // Clients of the SDKs ignore such an answer, and wait.
  test.each([
    [`\uFEFF${result}`, "byte_order_mark", "received"],
    [`[${result}]`, "batch", "received"],
    [`{"jsonrpc":"2.0","id":7,"result":{"a":NaN}}`, "not_json", "both"],
    [`{"jsonrpc":"2.0","id":7,"result":{"_meta":"a"}}`, "meta", "both"],
    [`{"jsonrpc":"2.0","id":7,"result":{},"a":1}`, "not_response", "both"],
    [`{"jsonrpc":"2.0","id":7,"result":${"[".repeat(600)}${"]".repeat(600)}}`, "deep", "both"],
  ] as const)("makes an error of an answer that clients ignore: %#", (text, cause, where) => {
    const line = traffic();
    expect(line.received(lineOf(text))).toEqual([unreadable]);
    expect(line.unreadableAnswer).toMatchObject({ request: 7, cause });
    const body = traffic();
    const read = body.receivedBody(lineOf(text));
    expect(read).toEqual([where === "both" ? unreadable : JSON.parse(result)]);
  });

  test("makes an error of an answer that is too long", () => {
    const long = `{"jsonrpc":"2.0","id":7,"result":"${"x".repeat(9 * 1024 * 1024)}"}`;
    for (const read of ["received", "receivedBody"] as const) {
      const one = traffic();
      expect(one[read](lineOf(long))).toEqual([unreadable]);
      expect(one.unreadableAnswer).toEqual({ request: 7, size: long.length, cause: "long" });
    }
  });

  test("leaves out requests and notifications that clients ignore, and the rest of a batch in a body", () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(traffic().received(lineOf(`[${ping}]`))).toEqual([]);
    expect(traffic().received(lineOf(`\uFEFF${ping}`))).toEqual([]);
    const ignored = '{"jsonrpc":"2.0","id":8,"result":{"_meta":1}}';
    expect(traffic().receivedBody(lineOf(`[${ignored},${result}]`))).toEqual([JSON.parse(result)]);
    expect(traffic().receivedBody(lineOf("[NaN]"))).toEqual([]);
  });

  test("counts lines that are not JSON-RPC, and quotes the first, cleaned and short", () => {
    const one = traffic((text) => text.replaceAll("secret", "S"));
    for (const text of ["\n", "  ", `a secret \u001b[31mred\u0007${"x".repeat(90)}`, "more"]) {
      expect(one.received(lineOf(text))).toEqual([]);
    }
    expect(one.foreignLines).toBe(2);
    expect(one.firstForeignLine).toStartWith("a S red\\u0007xxx");
    expect(one.firstForeignLine).toEndWith("x…");
    expect(one.receivedBody(lineOf("junk"))).toEqual([]);
    expect(one.foreignLines).toBe(2);
  });

  test("has an error for an answer that does not come", () => {
    const one = traffic();
    expect(one.refused(7, 5, "unanswered")).toEqual(unreadable);
    expect(one.unreadableAnswer).toEqual({ request: 7, size: 5, cause: "unanswered" });
  });
});

test.each([
  [{ id: 1, method: "a" }, 1, false],
  [{ id: "x", method: "a" }, "x", false],
  [{ id: 1, result: {} }, undefined, true],
  [{ id: 1, error: {} }, undefined, true],
  [{ method: "a" }, undefined, false],
  [{ id: null, method: "a" }, undefined, false],
  [null, undefined, false],
])("requestIdIn and isAnswerTo: %j", (message, id, isAnswer) => {
  expect([requestIdIn(message), isAnswerTo(message, 1)]).toEqual([id, isAnswer]);
});
