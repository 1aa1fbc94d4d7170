import { expect, test } from "bun:test";
import { callEvents } from "#importers/vs-code/call-events.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 5, conversation: "s", message: "s/r", model: "m" };
const call = { id: "c", name: "mcp_docs_search", arguments: '{"q":1}' };
const events = (one: unknown, results?: unknown) => callEvents(one, results, facts, tools);

test("a call has its arguments, and its answer where the request has one", () => {
  expect(events(call)).toMatchObject([
    {
      kind: "tool_use",
      id: "s/c",
      name: { joined: "mcp_docs_search", form: "single" },
      argumentBytes: 7,
    },
  ]);
  expect(events(call, { c: { content: [{ value: "äb" }, { value: "c" }] } })[1]).toMatchObject({
    kind: "tool_result",
    outcome: "ok",
    visible: "as_logged",
    bytes: 4,
  });
});

test("of an answer in another form than text nothing is known", () => {
  const results = { c: { content: [{ value: "a" }, { value: { node: {} } }] } };
  expect(events(call, results)[1]).toMatchObject({ visible: "unknown", bytes: null, tokens: null });
});

test("tools of VS Code itself, and odd calls, have no event", () => {
  for (const odd of [{ ...call, name: "read_file" }, { ...call, id: 4 }, null, "x"]) {
    expect(events(odd)).toEqual([]);
  }
});
