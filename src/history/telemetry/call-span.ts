import { parseTraceParent, type TraceParent } from "#wire/message.ts";
import { telemetryNameCharactersMax } from "#kit/limits.ts";
import type { CallRecord } from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { attributeNames, type Attributes } from "./instruments.ts";

export type CallSpan = {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly parent: TraceParent | undefined;
};

export function makeCallSpan(
  record: CallRecord,
  shared: Attributes,
  protocolVersion: string | null,
): CallSpan | undefined {
  const parent = parseTraceParent(record.traceparent ?? "");
  if (parent?.isSampled === false) return undefined;
  const { outcome, request_id: id, duration_ms: durationMs } = record;
  const endMs = Date.parse(record.ts);
  const toolLabel = shared[attributeNames.tool];
  const method = shared[attributeNames.method];
  return {
    name: toolLabel === undefined ? String(method) : `${method} ${toolLabel}`,
    startMs: endMs - durationMs,
    endMs,
    attributes: {
      ...shared,
      ...(id === null
        ? {}
        : { [attributeNames.requestId]: makeSafeName(String(id), telemetryNameCharactersMax) }),
      ...(protocolVersion === null
        ? {}
        : {
            [attributeNames.protocolVersion]: makeSafeName(
              protocolVersion,
              telemetryNameCharactersMax,
            ),
          }),
      [attributeNames.argumentTokens]: record.input_tokens,
      [attributeNames.resultTokens]: record.output_tokens,
    },
    isError: outcome !== "ok",
    parent,
  };
}
