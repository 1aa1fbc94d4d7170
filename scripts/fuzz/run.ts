import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateScript } from "./generate.ts";
import { encodePieces, type Play, type Script } from "./messages.ts";
import { findOptionSet, type OptionSet } from "./option-sets.ts";
import { findViolations } from "./oracles/index.ts";
import { playScript } from "./player.ts";
import { mixSeeds } from "./contents.ts";
import { splitLines } from "./reading.ts";
import type { Transcript, Violation } from "./transcript.ts";

const violationsMax = 20;
const attemptsMax = 300;
const jobs = 2;
const shownCharacters = 200;

export type RunOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly plays: number;
  readonly sets: readonly OptionSet[];
  readonly out: string;
};

type Tally = {
  readonly startedMs: number;
  sessions: number;
  messages: number;
  bytes: number;
  violations: number;
};

export function describeTally({ startedMs, sessions, messages, bytes, violations }: Tally): string {
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  return `${seconds} s, ${sessions} sessions, ${messages} messages, ${Math.round(bytes / 1e6)} MB, violations: ${violations}`;
}

export async function fuzz(arena: Arena, options: RunOptions): Promise<Tally> {
  const startedMs = performance.now();
  const tally: Tally = { startedMs, sessions: 0, messages: 0, bytes: 0, violations: 0 };
  let next = 0;
  const isOver = (): boolean =>
    performance.now() - startedMs >= options.seconds * 1_000 ||
    next >= options.plays ||
    tally.violations >= violationsMax;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const play = makePlay(options, next);
      next += 1;
      const { transcripts, violations } = await arena.play(play);
      for (const { clientSent, serverSent } of transcripts) {
        tally.sessions += 1;
        tally.messages += splitLines(clientSent).length + splitLines(serverSent).length;
        tally.bytes += clientSent.length + serverSent.length;
      }
      const [first] = violations;
      if (first === undefined) continue;
      tally.violations += 1;
      console.error(saveReport(await reproduce(arena, play, first), options.out));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return tally;
}

function makePlay({ seed, sets }: RunOptions, index: number): Play {
  const set = sets[index % sets.length];
  if (!set) throw new Error("Cannot play without an option set");
  const scripts = Array.from({ length: set.sessions }, (_, session) =>
    generateScript(mixSeeds(seed, index, session)),
  );
  return { set: set.name, scripts };
}

type Reproduction = Violation & { readonly play: Play; readonly isRepeatable: boolean };

async function reproduce(arena: Arena, play: Play, first: Violation): Promise<Reproduction> {
  let found = first;
  const fails = async (candidate: Play): Promise<boolean> => {
    const { violations } = await arena.play(candidate);
    const same = violations.find(({ oracle }) => oracle === first.oracle);
    if (same) found = same;
    return same !== undefined;
  };
  // A hang takes a minute to detect, so it is reported without a reproduction.
  const isSlow = first.detail.startsWith("hung");
  if (isSlow || !(await fails(play))) return { ...first, play, isRepeatable: false };
  const small = await shrink(play, fails);
  return { ...found, play: small, isRepeatable: true };
}

async function shrink(play: Play, fails: (play: Play) => Promise<boolean>): Promise<Play> {
  let attemptsLeft = attemptsMax;
  const attempt = async (scripts: readonly Script[]): Promise<boolean> => {
    attemptsLeft -= 1;
    return attemptsLeft >= 0 && (await fails({ ...play, scripts }));
  };
  let scripts = await dropItems(play.scripts, attempt);
  for (const index of scripts.keys()) {
    const withSteps = (steps: Script["steps"]): readonly Script[] =>
      scripts.map((script, at) => (at === index ? { ...script, steps } : script));
    const steps = scripts[index]?.steps ?? [];
    scripts = withSteps(await dropItems(steps, (rest) => attempt(withSteps(rest))));
  }
  return { ...play, scripts };
}

async function dropItems<T>(
  all: readonly T[],
  isEnough: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let remaining = all;
  for (let size = all.length; size > 1;) {
    size = Math.ceil(size / 2);
    for (let from = 0; from < remaining.length;) {
      const rest = [...remaining.slice(0, from), ...remaining.slice(from + size)];
      if (await isEnough(rest)) remaining = rest;
      else from += size;
    }
  }
  return remaining;
}

function saveReport(reproduction: Reproduction, folder: string): string {
  const { oracle, detail, play, isRepeatable } = reproduction;
  const seeds = play.scripts.map(({ seed }) => seed);
  const file = join(folder, `${oracle}-${play.set}-${seeds[0] ?? 0}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(reproduction, null, 2)}\n`);
  const lines = play.scripts.flatMap(({ steps, ending }) => [
    ...steps.map(({ by, pieces, needs }) => {
      const text = JSON.stringify(encodePieces(pieces).toString()).slice(0, shownCharacters);
      return `  ${by === "client" ? "→" : "←"} ${text}${needs === undefined ? "" : ` after ${needs}`}`;
    }),
    `  ends by ${JSON.stringify(ending)}`,
  ]);
  return [
    `${oracle}: ${detail}${isRepeatable ? "" : " (did not happen again)"}`,
    `  options ${play.set}, seeds ${seeds.join(" ")}`,
    ...lines,
    `  bun scripts/fuzz.ts --replay ${file}\n`,
  ].join("\n");
}

type PlayResult = {
  readonly transcripts: readonly Transcript[];
  readonly violations: readonly Violation[];
};

export class Arena implements Disposable {
  readonly #executable: string;
  readonly #dir = mkdtempSync(join(tmpdir(), "fuzz-"));
  #lock: string | undefined;
  #count = 0;

  constructor(executable: string) {
    this.#executable = executable;
  }

  async play({ set: name, scripts }: Play): Promise<PlayResult> {
    const set = findOptionSet(name);
    this.#count += 1;
    const dir = join(this.#dir, String(this.#count));
    mkdirSync(dir);
    if (set.isLocked) this.#lock ??= this.#writeLock(set.counter);
    const setup = { executable: this.#executable, dir, lock: this.#lock ?? "" };
    const transcripts: Transcript[] = [];
    try {
      for (const [index, script] of scripts.entries()) {
        transcripts.push(await playScript(script, set, setup, String(index)));
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
    return { transcripts, violations: findViolations(transcripts) };
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #writeLock(tokenizer: string): string {
    const file = join(this.#dir, "tools.lock");
    const flags = ["--lock", file, "--tokenizer", tokenizer];
    const server = [process.execPath, join(import.meta.dir, "listing-server.ts")];
    const run = Bun.spawnSync([this.#executable, "lock", ...flags, "--", ...server], {
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: this.#dir },
      cwd: this.#dir,
    });
    if (run.exitCode !== 0) throw new Error(`Cannot write the lock: ${run.stderr.toString()}`);
    return file;
  }
}
