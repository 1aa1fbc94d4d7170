import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { annotate, annotateOwn } from "#session/annotation.ts";
import { memberAt } from "#wire/json.ts";
import { plainReader } from "../support/plain-reader.ts";

function callOf(method = "tools/call"): Call {
  const params = { name: "search", arguments: {} };
  const request = { id: { value: 1 }, method, params, truncated: false };
  const sent = { from: "client", size: 80, atMs: 5 } as const;
  return new Call(request, describeRequest(method, params), sent);
}

/** `_meta` of an annotated answer to a call of `search`. */
function metaOf(result: unknown, method = "tools/call", client?: string): unknown {
  const call = callOf(method);
  const bytes = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  const arrival = { line: { bytes, size: bytes.length }, item: undefined, hasPassed: false };
  const closing = { outcome: "ok", endedMs: 17, result } as const;
  const line = annotate(call, closing, arrival as never, plainReader(client, "chars4"));
  return line && memberAt(JSON.parse(new TextDecoder().decode(line)), "result", "_meta");
}

const text = (said: string) => ({ content: [{ type: "text", text: said }] });

test("annotate adds cost and, for a table, its size", () => {
  // {"name":"search","arguments":{}}: 32 characters, 8 tokens; (12 + 40 + 20) / 4 = 18.
  const usage = { tokens: 26, input_tokens: 8, output_tokens: 18, duration_ms: 12 };
  expect(metaOf(text("Two roses.  "))).toEqual({
    "dev.mcp-meter/usage": { ...usage, method: "characters", confidence: "low" },
  });
  expect(metaOf(text("id,name\n1,a\n"))).toMatchObject({
    "dev.mcp-meter/usage": { ...usage, rows: 1, columns: 2, truncated: false },
  });
});

test("annotate leaves an answer alone that costs nothing", () => {
  expect(metaOf({}, "ping")).toBeUndefined();
});

test("annotateOwn adds the cost to our own results, beside the rest of their _meta", () => {
  const reader = plainReader("claude-code", "chars4");
  const whole = { item: undefined };
  const result = { ...text("Two roses.  "), isError: true, _meta: { a: 1 } };
  expect(annotateOwn(callOf(), { result, endedMs: 17 }, whole, reader)).toMatchObject({
    isError: true,
    _meta: { a: 1, "dev.mcp-meter/usage": { input_tokens: 8, output_tokens: expect.any(Number) } },
  });
  expect(annotateOwn(callOf(), { result, endedMs: 17 }, { item: 0 }, reader)).toBe(result);
  // The rest of a table is not the table that the server sent.
  const rest = annotateOwn(
    callOf(),
    { result: text("id,name\n1,a\n"), endedMs: 17 },
    whole,
    reader,
  );
  expect(memberAt(rest, "_meta", "dev.mcp-meter/usage")).not.toHaveProperty("rows");
});

test("nothing is added to an error whose _meta the client shows to its model", () => {
  const failed = { ...text("No such city"), isError: true };
  for (const client of ["gemini-cli-mcp-client", "qwen-cli-mcp-client"]) {
    expect(metaOf(failed, "tools/call", client)).toBeUndefined();
    expect(metaOf(text("Cold"), "tools/call", client)).toBeDefined();
    const reader = plainReader(client, "chars4");
    const own = { result: failed, endedMs: 17 };
    expect(annotateOwn(callOf(), own, { item: undefined }, reader)).toBe(failed);
  }
  expect(metaOf(failed, "tools/call", "claude-code")).toBeDefined();
});
