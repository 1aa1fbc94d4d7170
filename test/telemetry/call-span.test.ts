import { expect, test } from "bun:test";
import { callSpan } from "#telemetry/call-span.ts";
import { callRecord } from "../support/made-records.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const shared = { "mcp.method.name": "tools/call", "gen_ai.tool.name": "search" };

test("a call is a span with its tokens, from its request to its answer, below its caller", () => {
  const record = callRecord({ duration_ms: 250, request_id: "a\u202e", traceparent });
  const endMs = Date.parse(record.ts);
  expect(callSpan(record, shared, "2025-11-25")).toEqual({
    name: "tools/call search",
    startMs: endMs - 250,
    endMs,
    attributes: {
      ...shared,
      "jsonrpc.request.id": "a\\u202e",
      "mcp.protocol.version": "2025-11-25",
      "mcp_meter.tokens.arguments": 10,
      "mcp_meter.tokens.result": 100,
    },
    isError: false,
    parent: {
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      isSampled: true,
    },
  });
});

test("a call without a caller, tool, id and version", () => {
  const record = callRecord({ request_id: null, outcome: "rpc_error", tool: null });
  const span = callSpan(record, { "mcp.method.name": "resources/read" }, null);
  expect(span).toMatchObject({ name: "resources/read", isError: true, parent: undefined });
  expect(Object.keys(span?.attributes ?? {})).toEqual([
    "mcp.method.name",
    "mcp_meter.tokens.arguments",
    "mcp_meter.tokens.result",
  ]);
});

test("a caller that does not record its trace gets no span in it", () => {
  expect(callSpan(callRecord({ traceparent: traceparent.replace(/1$/, "0") }), shared, null)).toBe(
    undefined,
  );
});
