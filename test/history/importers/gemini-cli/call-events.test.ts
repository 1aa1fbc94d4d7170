import { describe, expect, test } from "bun:test";
import { parseCall } from "#history/importers/gemini-cli.ts";
import { plainTools } from "../../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const facts = { at: 5, conversation: "s", message: "s/g", model: "m" };
const events = (call: unknown) => parseCall(call, facts, tools);
const call = (more: object) => ({ id: "c", name: "mcp_docs_search", args: { q: 1 }, ...more });
const said = (response: unknown) => [{ functionResponse: { response } }];

describe("the name of a tool", () => {
  test.each([
    [{ displayName: "search (docs MCP Server)" }, { server: "docs", tool: "search" }],
    [{ displayName: "a (b) (docs MCP Server)" }, { server: "docs", tool: "a (b)" }],
    [{ displayName: "search" }, { joined: "mcp_docs_search", form: "single" }],
    [{ name: "docs__search" }, { joined: "docs__search", form: "extension" }],
  ] as const)("in %j", (more, name) => {
    expect(events(call(more))[0]).toMatchObject({ kind: "tool_use", id: "s/c", name });
  });

  test("of the client itself has no event", () => {
    for (const value of [call({ name: "read_file" }), call({ id: 4 }), null, "x", []]) {
      expect(events(value)).toEqual([]);
    }
  });
});

describe("the answer", () => {
  test.each([
    [{ status: "success", result: said({ output: "äb" }) }, "ok", 3],
    [{ status: "error", result: said({ error: "bad" }) }, "tool_error", 3],
    [{ status: "success", result: said({ a: 1 }) }, "ok", 7],
    [{ status: "success", result: said({ output: [1] }) }, "ok", 3],
    [{ status: "success", result: [{ text: "ab" }, null, 4] }, "ok", 2],
    [{ status: "success", result: ["ten bytes!", { text: "ab" }] }, "ok", 12],
    [{ status: "success", result: "ten bytes!" }, "ok", 10],
    [{ status: "success", result: { text: "ab" } }, "ok", 2],
    [{ status: "success", result: [{ odd: 1 }] }, "ok", 9],
    [{ status: "new", result: [] }, "ok", 0],
  ] as const)("%j", (more, outcome, bytes) => {
    expect(events(call(more))[1]).toMatchObject({ outcome, bytes, visible: "as_logged" });
  });

  test("of a call that was cancelled or failed may be missing", () => {
    expect(events(call({ status: "cancelled", result: null }))[1]).toMatchObject({
      outcome: "cancelled",
      visible: "none",
      bytes: null,
      tokens: null,
    });
    expect(events(call({ status: "executing", result: null }))).toHaveLength(1);
  });

  test("counts its images", () => {
    const result = [
      { inlineData: { mimeType: "image/png", data: "x" } },
      { inlineData: { mimeType: "audio/wav", data: "x" } },
    ];
    expect(events(call({ status: "success", result }))[1]).toMatchObject({ images: 1, bytes: 0 });
  });
});
