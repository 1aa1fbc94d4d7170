import { expect, test } from "bun:test";
import { readComparedArguments } from "#meter/calls/call.ts";
import { describeRequest } from "#tokens/cost/describe-calls.ts";
import type { JsonObject } from "#wire/json.ts";
import { plainReader } from "../../support/plain-reader.ts";

function compared(
  params: object,
  { definition, method = "tools/call" }: { definition?: JsonObject; method?: string } = {},
): string | undefined {
  const reader = plainReader("gemini-cli-mcp-client");
  const tools = { find: () => definition };
  return readComparedArguments(
    { method, request: describeRequest(method, params) },
    { ...reader, tools },
  );
}

const waiting = (more: object) => ({ name: "a", arguments: { q: 1, ...more } });

test("leaves out what the client adds to every tool for itself", () => {
  expect(compared(waiting({ wait_for_previous: true }))).toBe('{"q":1}');
  expect(compared(waiting({}))).toBe('{"q":1}');
  expect(compared({ name: "a", arguments: { wait_for_previous: false } })).toBe("{}");
});

test("keeps the same words in another place", () => {
  expect(compared(waiting({ s: "wait_for_previous" }))).toBe('{"q":1,"s":"wait_for_previous"}');
  expect(compared(waiting({ s: { wait_for_previous: 1 } }))).toBe(
    '{"q":1,"s":{"wait_for_previous":1}}',
  );
});

test("keeps an argument of that name which the tool declares itself", () => {
  const properties = { wait_for_previous: { type: "boolean" } };
  const params = waiting({ wait_for_previous: true });
  const declared = { name: "a", inputSchema: { type: "object", properties } };
  expect(compared(params, { definition: declared })).toBe('{"q":1,"wait_for_previous":true}');
  const others = { name: "a", inputSchema: { type: "object", properties: { q: {} } } };
  expect(compared(params, { definition: others })).toBe('{"q":1}');
  expect(compared(params, { definition: { name: "a", inputSchema: null } })).toBe('{"q":1}');
});

test("keeps the subjects of other methods, which need not be JSON", () => {
  const uri = 'test://"wait_for_previous"';
  expect(compared({ uri }, { method: "resources/read" })).toBe(uri);
  const prompt = compared(waiting({ wait_for_previous: true }), { method: "prompts/get" });
  expect(prompt).toBe('{"q":1,"wait_for_previous":true}');
});
