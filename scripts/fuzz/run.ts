import type { Arena } from "./arena.ts";
import { generateScript } from "./generate.ts";
import { knownFaults } from "./known.ts";
import type { OptionSet } from "./option-sets.ts";
import type { Violation } from "./oracles/violation.ts";
import { seedFrom } from "./random.ts";
import { type Reproduction, writeReproduction } from "./reproduction.ts";
import type { Play } from "./script.ts";
import { shrink } from "./shrink.ts";
import { type Finding, Tally } from "./tally.ts";

/** The settings of a run. */
export type RunOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly plays: number | undefined;
  readonly sets: readonly OptionSet[];
  readonly jobs: number;
  readonly out: string;
  readonly isAll: boolean;
};

/** Takes the news of a run. */
export type Listener = {
  readonly played: (tally: Tally) => void;
  readonly found: (finding: Finding) => void;
};

/** Violations after which a run stops: further ones are most likely the same. */
const findingsMax = 20;

/** The play of that number: the option sets take turns. */
function makePlay(seed: number, index: number, sets: readonly OptionSet[], isAll = false): Play {
  const set = sets[index % sets.length];
  if (!set) throw new Error("Cannot play without an option set");
  const without = new Set<string>(isAll ? [] : knownFaults.map(({ name }) => name));
  const scripts = Array.from({ length: set.sessions }, (_, session) =>
    generateScript(seedFrom(seed, index, session), { without }),
  );
  return { set: set.name, scripts };
}

/** Plays until the time is up, several plays at a time, and reproduces every violation. */
export async function fuzz(arena: Arena, options: RunOptions, listener: Listener): Promise<Tally> {
  const tally = new Tally();
  let next = 0;
  const isOver = (): boolean =>
    tally.seconds >= options.seconds ||
    next >= (options.plays ?? Infinity) ||
    tally.findings.length >= findingsMax;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const play = makePlay(options.seed, next, options.sets, options.isAll);
      next += 1;
      const { transcripts, violations } = await arena.play(play);
      tally.add(transcripts);
      listener.played(tally);
      const [first] = violations;
      if (first === undefined) continue;
      const reproduction = await reproduce(arena, play, first);
      const finding = { ...reproduction, file: writeReproduction(options.out, reproduction) };
      tally.findings.push(finding);
      listener.found(finding);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return tally;
}

/** The smallest play found that breaks the same promise. */
async function reproduce(arena: Arena, play: Play, first: Violation): Promise<Reproduction> {
  let found = first;
  const fails = async (candidate: Play): Promise<boolean> => {
    const { violations } = await arena.play(candidate);
    const same = violations.find(({ oracle }) => oracle === first.oracle);
    if (same) found = same;
    return same !== undefined;
  };
  // A hang takes minutes to be noticed: it is reported as it is.
  const isSlow = first.detail.startsWith("hung");
  if (isSlow || !(await fails(play))) return { ...first, play, isRepeatable: false };
  const small = await shrink(play, fails);
  return { ...found, play: small, isRepeatable: true };
}
