import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  describeResult,
  describeRequest,
  describeError,
  isCallMethod,
} from "#tokens/cost/describe-calls.ts";
import { type Part, countBlocks } from "#tokens/cost/client-profiles/block.ts";
import { readAs } from "../../support/readings.ts";

const reading = readAs(undefined);

function texts(parts: readonly Part[]): string[] {
  return parts.map((part) => (part.kind === "text" ? part.text : part.kind));
}

const block = (text: string) => ({ type: "text", text });

describe("describeRequest", () => {
  type Row = readonly [
    method: string,
    params: unknown,
    tool: string | null,
    input: readonly string[],
  ];
  const rows: readonly Row[] = [
    [
      "tools/call",
      { name: "search", arguments: { q: [1, "é"] } },
      "search",
      ["search", '{"q":[1,"é"]}'],
    ],
    ["tools/call", { name: "search" }, "search", ["search", ""]],
    ["tools/call", { name: 7 }, "", ["", ""]],
    ["tools/call", undefined, "", ["", ""]],
    [
      "prompts/get",
      { name: "greet", arguments: { who: "you" } },
      "greet",
      ["greet", '{"who":"you"}'],
    ],
    ["resources/read", { uri: "file:///a" }, null, ["file:///a"]],
    [
      "sampling/createMessage",
      {
        systemPrompt: "Be brief",
        messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
      },
      null,
      ["Be brief", "Hi"],
    ],
    [
      "sampling/createMessage",
      {
        messages: [
          {
            content: [
              { type: "text", text: "a" },
              { type: "image", data: "xxxx", mimeType: "image/png" },
            ],
          },
        ],
      },
      null,
      ["", "a"],
    ],
    ["tools/list", { cursor: "2", _meta: {} }, null, ['"2"']],
    ["tools/list", {}, null, [""]],
    ["ping", {}, null, []],
    ["ping", { _meta: { progressToken: 1 } }, null, []],
    ["logging/setLevel", { level: "info", _meta: {} }, null, ['{"level":"info"}']],
    ["__proto__", {}, null, []],
    ["constructor", undefined, null, [""]],
  ];
  for (const [method, params, tool, input] of rows) {
    test(`${method} ${JSON.stringify(params)} asks ${JSON.stringify(input)}`, () => {
      expect(describeRequest(method, params)).toMatchObject({ tool, input: [...input] });
    });
  }

  test("four methods have a price", () => {
    const methods = ["tools/call", "prompts/get", "resources/read", "sampling/createMessage"];
    expect(methods.map(isCallMethod)).toEqual([true, true, true, true]);
    expect(["tools/list", "ping", "__proto__", "toString", ""].map(isCallMethod)).toEqual(
      Array(5).fill(false),
    );
  });

  test("repeats are told by the same arguments, not by their names", () => {
    expect(describeRequest("tools/call", { name: "a", arguments: { x: 1 } }).arguments).toBe(
      '{"x":1}',
    );
    expect(describeRequest("resources/read", { uri: "file:///a" }).arguments).toBe("file:///a");
    expect(describeRequest("sampling/createMessage", { messages: [] }).arguments).toBeUndefined();
  });
});

describe("describeResult", () => {
  const rows: readonly (readonly [method: string, result: unknown, visible: readonly string[]])[] =
    [
      ["tools/call", { content: [block("a"), block("b")] }, ["a", "b"]],
      [
        "prompts/get",
        { messages: [{ content: block("a") }, { content: [block("b")] }] },
        ["a", "b"],
      ],
      ["resources/read", { contents: [{ uri: "file:///a", text: "hello" }] }, ["file:///a\nhello"]],
      ["sampling/createMessage", { role: "assistant", content: block("Hi") }, ["Hi"]],
      ["tools/list", { tools: [], _meta: { a: 1 } }, ['{"tools":[]}']],
      ["ping", {}, ["{}"]],
      ["ping", undefined, [""]],
    ];
  for (const [method, result, visible] of rows) {
    test(`${method} ${JSON.stringify(result)} shows ${JSON.stringify(visible)}`, () => {
      expect(texts(describeResult(method, result, reading).visible)).toEqual([...visible]);
    });
  }
});

test("an error is its code, its message and its data", () => {
  const seen = describeError(
    "tools/call",
    { code: -32602, message: "No such tool", data: { name: "x" } },
    reading,
  );
  expect(texts(seen.visible)).toEqual(["-32602", "No such tool", '{"name":"x"}']);
  expect(texts(describeError("tools/call", {}, reading).visible)).toEqual(["", "", ""]);
});

test("nothing throws, whatever is asked and answered", () => {
  const methods = fc.constantFrom(
    "tools/call",
    "prompts/get",
    "resources/read",
    "sampling/createMessage",
    "x",
  );
  fc.assert(
    fc.property(methods, fc.jsonValue(), (method, value) => {
      expect(describeRequest(method, value).input.every((text) => typeof text === "string")).toBe(
        true,
      );
      for (const shape of [value, { content: value }, { messages: value }, { contents: value }]) {
        describeResult(method, shape, reading);
        describeError(method, shape, reading);
        countBlocks(shape);
      }
    }),
  );
});
