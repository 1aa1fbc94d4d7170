import { expect, test } from "bun:test";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { annotate } from "#session/annotation.ts";
import { memberAt } from "#wire/json.ts";
import { plainReader } from "../support/plain-reader.ts";

/** `_meta` of an annotated answer to a call of `search`. */
function metaOf(result: unknown, method = "tools/call"): unknown {
  const params = { name: "search", arguments: {} };
  const request = { id: { value: 1 }, method, params, truncated: false };
  const sent = { from: "client", size: 80, atMs: 5 } as const;
  const call = new Call(request, describeRequest(method, params), sent);
  const bytes = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  const arrival = { line: { bytes, size: bytes.length }, item: undefined, hasPassed: false };
  const closing = { outcome: "ok", endedMs: 17, result } as const;
  const line = annotate(call, closing, arrival as never, plainReader(undefined, "chars4"));
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
