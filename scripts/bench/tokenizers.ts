/**
 * `bun scripts/bench/tokenizers.ts`: the tokenizer against those JavaScript has, all in one run, and
 * which goals it met. Prints Markdown.
 */
import { buildVocabularies, encodings } from "../vocabulary.ts";
import { renderTable, verdictCells } from "./table.ts";
import { measureBombRatios } from "./tokenizers/bomb-ratios.ts";
import { bombSizes, bombNames, measureBomb } from "./tokenizers/bombs.ts";
import { measureExecutable } from "./tokenizers/executable.ts";
import { type Footprint, measureFootprint } from "./tokenizers/footprint.ts";
import { judgeTokenizers } from "./tokenizers/goals.ts";
import { type Count, loadOurs, ourPeer, tokenizerPeers } from "./tokenizers/peers.ts";
import { coldSpeed, measureSpeeds, noSpeed, type Speed } from "./tokenizers/speed.ts";
import { benchTexts } from "./tokenizers/texts.ts";

/** All figures of one tokenizer. */
export type TokenizerRow = {
  readonly peer: string;
  /** By name of text. */
  readonly speeds: ReadonlyMap<string, Speed>;
  /** Nanoseconds a byte by name of bomb and size in bytes; sizes that would take too long are missing. */
  readonly bombs: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Time per byte against prose by encoding and name of bomb, of ours. */
  readonly bombRatios: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly footprint: Footprint;
  /** Milliseconds to the first count in an executable, of ours. */
  readonly executableMs: number | undefined;
};

/** `bombs` are the names of those that every tokenizer counts, which takes minutes; goals do not need them. */
export async function benchTokenizers(bombs: readonly string[] = []): Promise<TokenizerRow[]> {
  await buildVocabularies();
  const bombRatios = await measureOurBombs();
  const executableMs = await measureExecutable();
  const counts = await loadPeers();
  const speeds = [...benchTexts()].map(
    ([name, text]) => [name, measureSpeeds(counts, text)] as const,
  );
  const rows: TokenizerRow[] = [];
  for (const [peer, count] of counts) {
    const isOurs = peer === ourPeer;
    rows.push({
      peer,
      speeds: new Map(speeds.map(([name, of]) => [name, of.get(peer) ?? noSpeed])),
      bombs: new Map(bombs.map((name) => [name, measureBomb(count, name)])),
      bombRatios: isOurs ? bombRatios : new Map(),
      footprint: await measureFootprint(peer),
      executableMs: isOurs ? executableMs : undefined,
    });
  }
  return rows;
}

async function loadPeers(): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  for (const [peer, load] of Object.entries(tokenizerPeers)) counts.set(peer, await load());
  return counts;
}

async function measureOurBombs(): Promise<Map<string, Map<string, number>>> {
  const ratios = new Map<string, Map<string, number>>();
  for (const encoding of encodings) {
    ratios.set(encoding, measureBombRatios(await loadOurs(encoding)));
  }
  return ratios;
}

function renderTokenizers(rows: readonly TokenizerRow[]): string {
  const peers = rows.map(({ peer }) => peer);
  const sections: readonly (readonly [string, string[][]])[] = [
    ["MB/s, cold / warm", [["text", ...peers], ...speedRows(rows)]],
    [
      "One long piece, ns a byte at 1 kB … 1 MB (a row stops where it would take too long)",
      [["tokenizer", "text", ...bombSizes.map((bytes) => `${bytes / 1000} kB`)], ...bombRows(rows)],
    ],
    [
      "One long piece of 1 MB against prose, per byte",
      [["text", ...encodings], ...ratioRows(rows)],
    ],
    [
      "A process of its own",
      [["tokenizer", "first count", "loaded", "used"], ...footprintRows(rows)],
    ],
    ["Goals", [["goal", "measured", "verdict"], ...judgeTokenizers(rows).map(verdictCells)]],
  ];
  return sections.map(([title, cells]) => `## ${title}\n\n${renderTable(cells)}`).join("\n\n");
}

function speedRows(rows: readonly TokenizerRow[]): string[][] {
  const names = [...(rows[0]?.speeds.keys() ?? [])];
  return names.map((name) => [
    name,
    ...rows.map(({ speeds }) => {
      const speed = speeds.get(name);
      return `${formatNumber(coldSpeed(speed))} / ${formatNumber(speed?.warm)}`;
    }),
  ]);
}

function bombRows(rows: readonly TokenizerRow[]): string[][] {
  return rows.flatMap(({ peer, bombs }) =>
    [...bombs].map(([name, figures]) => [
      peer,
      name,
      ...bombSizes.map((bytes) => formatNumber(figures.get(bytes))),
    ]),
  );
}

function ratioRows(rows: readonly TokenizerRow[]): string[][] {
  const ratios = rows.find(({ peer }) => peer === ourPeer)?.bombRatios;
  return bombNames.map((name) => [
    name,
    ...encodings.map((encoding) => `${formatNumber(ratios?.get(encoding)?.get(name))} ×`),
  ]);
}

function footprintRows(rows: readonly TokenizerRow[]): string[][] {
  return rows.map(({ peer, footprint: { firstCountMs, loadedMb, usedMb } }) => [
    peer,
    `${formatNumber(firstCountMs)} ms`,
    `+${formatNumber(loadedMb)} MB`,
    `+${formatNumber(usedMb)} MB`,
  ]);
}

function formatNumber(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

if (import.meta.main) console.log(renderTokenizers(await benchTokenizers(bombNames)));
