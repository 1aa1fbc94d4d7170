import { parseTraceParent } from "#wire/message.ts";
import { expect, test } from "bun:test";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test.each([
  [`00-${traceId}-${spanId}-01`, { traceId, spanId, isSampled: true }],
  [`00-${traceId}-${spanId}-00`, { traceId, spanId, isSampled: false }],
  [`01-${traceId}-${spanId}-ff`, { traceId, spanId, isSampled: true }],
  ["", undefined],
  [`00-${traceId}-${spanId}`, undefined],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, undefined],
  [`ff-${traceId}-${spanId}-01`, undefined],
  [`00-${"0".repeat(32)}-${spanId}-01`, undefined],
  [`00-${traceId}-${"0".repeat(16)}-01`, undefined],
  [` 00-${traceId}-${spanId}-01`, undefined],
  [`00-${traceId}-${spanId}-01-secret`, undefined],
])("parseTraceParent %p", (text, parent) => {
  expect(parseTraceParent(text)).toEqual(parent as never);
});
