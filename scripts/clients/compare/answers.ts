import type { AlertRecord, CallRecord } from "#records/record.ts";
import type { Reader } from "#cost/reader.ts";
import type { ReadPart } from "../apis/api.ts";
import { isCut } from "./cut.ts";
import { readTokens } from "./read-tokens.ts";
import { isClose, type Pair } from "./tolerance.ts";

/** One answer as it was read and as it was counted. */
export type ComparedAnswer = Pair & {
  readonly tool: string;
  /** Cut or saved by the client, and said to be by mcp-meter. */
  readonly isCut: boolean;
  readonly isAlerted: boolean;
  readonly isRight: boolean;
};

/** A call of the session: the record of it, what the server answered and what the model read of that. */
export type ObservedCall = {
  readonly call: CallRecord;
  readonly result: unknown;
  readonly parts: readonly ReadPart[];
};

/** Compares each call with its record. `alerts` are all of the session. */
export function compareAnswers(
  observed: readonly ObservedCall[],
  alerts: readonly AlertRecord[],
  reader: Reader,
): readonly ComparedAnswer[] {
  const alerted = new Set(alerts.filter(isOfLimit).map(({ tool }) => tool));
  return observed.map(({ call, result, parts }) => {
    const pair = { read: readTokens(parts, reader), counted: call.output_tokens };
    const cut = isCut(result, parts);
    const isAlerted = alerted.has(call.tool);
    const isRight = isClose(pair) && cut === isAlerted;
    return { ...pair, tool: call.tool ?? "", isCut: cut, isAlerted, isRight };
  });
}

function isOfLimit({ alert }: AlertRecord): boolean {
  return alert === "would_truncate" || alert === "would_spill";
}
