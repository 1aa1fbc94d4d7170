import { someAct } from "./acts/index.ts";
import { handshake } from "./acts/handshake.ts";
import { Conversation, type Manner } from "./conversation.ts";
import { mutationNames } from "./mutations.ts";
import { Random } from "./random.ts";
import type { Ending, Script } from "./script.ts";

/** Limits of what is generated. */
export type GenerateOptions = {
  /** Names of mutations and kinds of ids that are left out. */
  readonly without: ReadonlySet<string>;
};

/** The script of a session: the same for the same seed. */
export function generateScript(seed: number, { without }: GenerateOptions): Script {
  const random = new Random(seed);
  const conversation = new Conversation(random, someManner(random, without));
  handshake(conversation);
  for (let scenes = random.between(1, 8); scenes > 0; scenes -= 1) {
    const isSolo = random.chance(0.25);
    const count = isSolo ? 1 : random.between(1, 4);
    const acts = Array.from({ length: count }, () => someAct(random, isSolo, without));
    conversation.together(acts);
  }
  const steps = conversation.take();
  return { seed, steps, ending: someEnding(random) };
}

function someManner(random: Random, without: ReadonlySet<string>): Manner {
  return {
    era: random.pick(["legacy", "modern"] as const),
    mutationRate: random.pick([0, 0, 0.05, 0.3]),
    mutations: mutationNames.filter((name) => !without.has(name)),
    without,
    cutRate: random.pick([0, 0.1, 0.6]),
  };
}

function someEnding(random: Random): Ending {
  const code = random.pick([0, 0, 0, 3]);
  return random.weighted<Ending>([
    [12, { kind: "eof", code }],
    [2, { kind: "half-close", code }],
    [3, { kind: "exit", code }],
    [1, { kind: "crash", signal: random.pick(["SIGKILL", "SIGABRT"] as const) }],
    [1, { kind: "term" }],
    [2, { kind: "kill" }],
  ]);
}
