import type { Verdict } from "../measurement.ts";
import type { TokenizerRow } from "../tokenizers.ts";
import { atLeast, atMost } from "../verdict.ts";
import { ourPeer, wasmPeer } from "./peers.ts";

const mixedText = "mixed MCP payloads";

/** The goals of the tokenizer against what was measured. */
export function judgeTokenizers(rows: readonly TokenizerRow[]): Verdict[] {
  const cold = (row: TokenizerRow | undefined) => row?.speeds.get(mixedText)?.cold ?? 0;
  const ours = rows.find(({ peer }) => peer === ourPeer);
  const wasm = rows.find(({ peer }) => peer === wasmPeer);
  const fastest = Math.max(
    ...rows.filter((row) => row !== ours && row !== wasm).map((row) => cold(row)),
  );
  const usedMb = ours?.footprint.usedMb ?? Number.NaN;
  const firstCountMs = ours?.executableMs ?? Number.NaN;
  return [
    atLeast(`${mixedText}, cold, against tiktoken's WASM`, cold(ours) / cold(wasm), 10, "×"),
    atLeast(`${mixedText}, cold, against the fastest JavaScript`, cold(ours) / fastest, 3, "×"),
    ...[...(ours?.bombRatios ?? [])].map(([encoding, ratios]) => judgeBombs(encoding, ratios)),
    atMost("first count in an executable", firstCountMs, 10, "ms"),
    atMost("resident memory above no tokenizer", usedMb, 20, "MB"),
  ];
}

function judgeBombs(encoding: string, ratios: ReadonlyMap<string, number>): Verdict {
  const [name, ratio] = [...ratios].reduce((one, other) => (other[1] > one[1] ? other : one));
  return atMost(`${encoding}: worst bomb (${name}) against prose, per byte`, ratio, 4, "×");
}
