import { join } from "node:path";
import { execa } from "execa";
import { median } from "../statistics.ts";
import { tokenizerPeers } from "./peers.ts";

/** Texts of 1 kB counted before memory is read a second time. */
const textCount = 200;
const runCount = 5;

/**
 * What one tokenizer costs a process of its own: milliseconds from nothing loaded to the first count,
 * and MB resident more than the same process without a tokenizer.
 */
export type Footprint = {
  readonly firstCountMs: number;
  readonly loadedMb: number;
  readonly usedMb: number;
};

type Reading = { readonly firstCountMs: number; readonly loaded: number; readonly used: number };

/** Medians of some processes each. */
export async function measureFootprint(peer: string): Promise<Footprint> {
  const readings: Reading[] = [];
  const bare: Reading[] = [];
  for (let run = 0; run < runCount; run++) {
    bare.push(await readInProcess("none"));
    readings.push(await readInProcess(peer));
  }
  return {
    firstCountMs: middle(readings, "firstCountMs"),
    loadedMb: (middle(readings, "loaded") - middle(bare, "loaded")) / 1e6,
    usedMb: (middle(readings, "used") - middle(bare, "used")) / 1e6,
  };
}

async function readInProcess(peer: string): Promise<Reading> {
  const { stdout } = await execa(process.execPath, [import.meta.path, peer]);
  return JSON.parse(stdout);
}

function middle(readings: readonly Reading[], figure: keyof Reading): number {
  return median(readings.map((reading) => reading[figure]));
}

/** Runs in the process that is measured. */
async function report(peer: string): Promise<Reading> {
  const sentence = await Bun.file(join(import.meta.dir, "footprint.ts")).text();
  const began = performance.now();
  const count = (await tokenizerPeers[peer]?.()) ?? ((text: string) => text.length);
  count("hello world");
  const firstCountMs = performance.now() - began;
  const loaded = process.memoryUsage.rss();
  for (let text = 0; text < textCount; text++) {
    count(`${text} ${sentence.slice(text * 5, text * 5 + 1000)}`);
  }
  return { firstCountMs, loaded, used: process.memoryUsage.rss() };
}

if (import.meta.main) console.log(JSON.stringify(await report(process.argv[2] ?? "none")));
