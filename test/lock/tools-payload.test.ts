import { expect, test } from "bun:test";
import { parseToolList } from "#commands/count/command.ts";
import { nestingMax } from "#wire/json.ts";

const tools = [
  { name: "a", inputSchema: {} },
  { name: "b", description: "B", inputSchema: {} },
];

test.each<readonly [payload: unknown]>([
  [tools],
  [{ tools }],
  [{ tools, nextCursor: "2" }],
  [{ jsonrpc: "2.0", id: 1, result: { tools } }],
])("the tools of %j", (payload) => {
  expect(parseToolList(` ${JSON.stringify(payload)}\n`)).toEqual(tools);
});

test("a byte order mark, and tools without a schema or a name that the same server lists", () => {
  const listed = [...tools, { name: "bare" }, { name: 7, inputSchema: {} }];
  expect(parseToolList(`\ufeff${JSON.stringify({ tools: listed })}`)).toEqual(listed);
  expect(parseToolList(JSON.stringify({ tools: [...tools, "none"] }))).toEqual(tools);
});

const nested = (levels: number) =>
  `[{"name":"a","inputSchema":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}]`;

test("a list that is nested too deeply to be priced is a text", () => {
  // The list and the tool add two levels.
  expect(parseToolList(nested(nestingMax - 2))).toHaveLength(1);
  expect(parseToolList(nested(nestingMax - 1))).toBeUndefined();
  expect(parseToolList(nested(100_000))).toBeUndefined();
});

test.each([
  "",
  "[]",
  "{}",
  "[1]",
  '{"tools":[]}',
  '{"tools":[{"name":"a"}]}',
  '[{"name":7,"inputSchema":{}}]',
  '[{"name":"a","inputSchema":{}},{"name":"b"}]',
  "[torn",
  "7",
])("%s has no tools", (text) => {
  expect(parseToolList(text)).toBeUndefined();
});
