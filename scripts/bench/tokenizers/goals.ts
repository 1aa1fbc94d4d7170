import type { Verdict } from "../measurement.ts";
import type { TokenizerRow } from "../tokenizers.ts";
import { atLeast, atMost } from "../verdict.ts";
import { ourPeer, wasmPeer } from "./peers.ts";

const mixedText = "mixed MCP payloads";
const worstBytes = 1_000_000;

/** The goals of the tokenizer against what was measured. */
export function judgeTokenizers(rows: readonly TokenizerRow[]): Verdict[] {
  const cold = (row: TokenizerRow | undefined) => row?.speeds.get(mixedText)?.cold ?? 0;
  const ours = rows.find(({ peer }) => peer === ourPeer);
  const wasm = rows.find(({ peer }) => peer === wasmPeer);
  const fastest = Math.max(
    ...rows.filter((row) => row !== ours && row !== wasm).map((row) => cold(row)),
  );
  const proseNs = 1000 / (ours?.speeds.get("prose")?.cold ?? 0);
  const bombs = [...(ours?.bombs ?? [])].map(([name, figures]) => {
    return { name, ns: figures.get(worstBytes) ?? Infinity };
  });
  const worst = bombs.reduce((one, other) => (other.ns > one.ns ? other : one));
  const usedMb = ours?.footprint.usedMb ?? Number.NaN;
  const firstCountMs = ours?.executableMs ?? Number.NaN;
  return [
    atLeast(`${mixedText}, cold, against tiktoken's WASM`, cold(ours) / cold(wasm), 10, "×"),
    atLeast(`${mixedText}, cold, against the fastest JavaScript`, cold(ours) / fastest, 3, "×"),
    atMost(`worst bomb (${worst.name}) against prose, per byte`, worst.ns / proseNs, 4, "×"),
    atMost("first count in an executable", firstCountMs, 10, "ms"),
    atMost("resident memory above no tokenizer", usedMb, 20, "MB"),
  ];
}
