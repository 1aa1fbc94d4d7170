// A short run of the fuzzer with fixed seeds, over every option set. Long runs: docs/notes/fuzzing.md.
import { expect, test } from "bun:test";
import { Arena } from "../../../scripts/fuzz/arena.ts";
import { describeFinding } from "../../../scripts/fuzz/report.ts";
import { fuzz } from "../../../scripts/fuzz/run.ts";
import { optionSets } from "../../../scripts/fuzz/option-sets.ts";
import { executable } from "../../support/session.ts";
import { Folder } from "../../support/folder.ts";

/** Plays of each option set. */
const rounds = 3;

/** A run takes about 20 s; a machine that is very busy takes many times as long. */
const runMaxMs = 600_000;

test(
  "no promise is broken in a short run over every option set",
  async () => {
    using folder = new Folder();
    using arena = new Arena(executable);
    const found: string[] = [];
    const tally = await fuzz(
      arena,
      {
        seed: 11,
        seconds: Infinity,
        plays: rounds * optionSets.length,
        sets: optionSets,
        jobs: 2,
        out: folder.at("fuzz"),
        isAll: false,
      },
      { played: () => undefined, found: (finding) => found.push(describeFinding(finding)) },
    );
    expect(found).toEqual([]);
    expect(tally.plays).toBe(rounds * optionSets.length);
    expect(tally.messages).toBeGreaterThan(1_000);
  },
  runMaxMs,
);
