import type { Verdict } from "../measurement.ts";
import type { TokenizerRow } from "../tokenizers.ts";
import { atLeast, atMost } from "../verdict.ts";
import { ourPeer, wasmPeer } from "./peers.ts";
import { coldRatio } from "./speed.ts";

const mixedText = "mixed MCP payloads";

/** The goals of the tokenizer against what was measured. */
export function judgeTokenizers(rows: readonly TokenizerRow[]): Verdict[] {
  const mixed = (row: TokenizerRow | undefined) => row?.speeds.get(mixedText);
  const ours = rows.find(({ peer }) => peer === ourPeer);
  const wasm = rows.find(({ peer }) => peer === wasmPeer);
  const others = rows.filter((row) => row !== ours && row !== wasm);
  const ofFastest = Math.min(...others.map((row) => coldRatio(mixed(ours), mixed(row))));
  const usedMb = ours?.footprint.usedMb ?? Number.NaN;
  const firstCountMs = ours?.executableMs ?? Number.NaN;
  return [
    atLeast(
      `${mixedText}, cold, against tiktoken's WASM`,
      coldRatio(mixed(ours), mixed(wasm)),
      10,
      "×",
    ),
    atLeast(`${mixedText}, cold, against the fastest JavaScript`, ofFastest, 3, "×"),
    ...[...(ours?.bombRatios ?? [])].map(([encoding, ratios]) => judgeBombs(encoding, ratios)),
    atMost("first count in an executable", firstCountMs, 10, "ms"),
    atMost("resident memory above no tokenizer", usedMb, 20, "MB"),
  ];
}

function judgeBombs(encoding: string, ratios: ReadonlyMap<string, number>): Verdict {
  const [name, ratio] = [...ratios].reduce((one, other) => (other[1] > one[1] ? other : one));
  return atMost(`${encoding}: worst bomb (${name}) against prose, per byte`, ratio, 4, "×");
}
