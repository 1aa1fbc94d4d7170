import { expect, test } from "bun:test";
import { Session } from "./session.ts";

const seeds = Number(process.env["BUDGET_SEEDS"] ?? "600");
const begin = Number(process.env["BUDGET_FROM"] ?? "1");

function play(seed: number, notesRepeats = false): ReadonlySet<string> {
  try {
    return new Session(seed, notesRepeats).play();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${why}`, { cause: error });
  }
}

test(`${seeds} sessions of chance under budgets of chance, from seed ${begin}`, () => {
  const seen = new Set<string>();
  for (let seed = begin; seed < begin + seeds; seed += 1) {
    for (const what of play(seed)) seen.add(what);
  }
  if (seeds < 1_000) return;
  expect([...seen].toSorted()).toEqual([
    "cancelled",
    "cancelled waiting",
    "dropped",
    "late",
    "refused",
    "released",
    "replaced",
    "round",
    "task",
    "waited",
    "waited in vain",
    "withheld",
    "withheld unread",
  ]);
}, 600_000);

test(`${seeds} sessions in which answers repeat, with notes, from seed ${begin}`, () => {
  const seen = new Set<string>();
  for (let seed = begin; seed < begin + seeds; seed += 1) {
    for (const what of play(seed, true)) seen.add(what);
  }
  if (seeds >= 1_000) expect([...seen]).toContain("noted");
}, 600_000);
