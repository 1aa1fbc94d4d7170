import type { TokenizerRow } from "../tokenizers.ts";
import { OURS, WASM } from "./peers.ts";

export type Goal = { readonly goal: string; readonly seen: string; readonly isMet: boolean };

const MIXED = "mixed MCP payloads";
const WORST_BYTES = 1_000_000;

/** The goals of the tokenizer against what was measured. */
export function judge(rows: readonly TokenizerRow[]): Goal[] {
  const cold = (row: TokenizerRow | undefined) => row?.speeds.get(MIXED)?.cold ?? 0;
  const ours = rows.find(({ peer }) => peer === OURS);
  const wasm = rows.find(({ peer }) => peer === WASM);
  const fastest = Math.max(
    ...rows.filter((row) => row !== ours && row !== wasm).map((row) => cold(row)),
  );
  const proseNs = 1000 / (ours?.speeds.get("prose")?.cold ?? 0);
  const bombs = [...(ours?.bombs ?? [])].map(([name, figures]) => {
    return { name, ns: figures.get(WORST_BYTES) ?? Number.POSITIVE_INFINITY };
  });
  const worst = bombs.reduce((one, other) => (other.ns > one.ns ? other : one));
  const { usedMb = 0 } = ours?.footprint ?? {};
  return [
    atLeast(`${MIXED}, cold, against tiktoken's WASM`, cold(ours) / cold(wasm), 10),
    atLeast(`${MIXED}, cold, against the fastest JavaScript`, cold(ours) / fastest, 3),
    atMost(`worst bomb (${worst.name}) against prose, a byte`, worst.ns / proseNs, 3, "×"),
    atMost(
      "first count in an executable",
      ours?.executableMs ?? Number.POSITIVE_INFINITY,
      10,
      "ms",
    ),
    atMost("resident above no tokenizer", usedMb, 20, "MB"),
  ];
}

function atLeast(what: string, value: number, least: number): Goal {
  return { goal: `${what} ≥ ${least} ×`, seen: `${value.toFixed(1)} ×`, isMet: value >= least };
}

function atMost(what: string, value: number, most: number, unit: string): Goal {
  return {
    goal: `${what} ≤ ${most} ${unit}`,
    seen: `${value.toFixed(1)} ${unit}`,
    isMet: value <= most,
  };
}
