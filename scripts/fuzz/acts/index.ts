import type { Conversation } from "../conversation.ts";
import type { Random } from "../random.ts";
import { batch, calls, repeats } from "./calls.ts";
import { early } from "./early.ts";
import { listing } from "./listing.ts";
import { noise } from "./noise.ts";
import { rounds } from "./rounds.ts";
import { serverRequest } from "./server-requests.ts";
import { task } from "./tasks.ts";

/** Something that happens in a conversation. */
type Act = (conversation: Conversation) => void;

/** Name of an act. */
export type ActName =
  | "calls"
  | "task"
  | "rounds"
  | "server-request"
  | "noise"
  | "repeats"
  | "batch"
  | "listing"
  | "early";

type Weighted = readonly [weight: number, name: ActName, act: Act];

/** Acts that may alternate with others, with their frequency. */
const manyActs: readonly Weighted[] = [
  [10, "calls", calls],
  [3, "task", task],
  [3, "rounds", rounds],
  [2, "server-request", serverRequest],
  [2, "noise", noise],
  [1, "repeats", repeats],
  [1, "batch", batch],
];

/** Acts that run alone: they leave a line unfinished, or change what the tools are. */
const soloActs: readonly Weighted[] = [
  [2, "listing", listing],
  [1, "early", early],
];

/** One of the acts; `isSolo` for one that runs alone. None of `without`. */
export function someAct(random: Random, isSolo: boolean, without: ReadonlySet<string>): Act {
  const allowed = (isSolo ? soloActs : manyActs).filter(([, name]) => !without.has(name));
  return random.weighted(allowed.map(([weight, , act]) => [weight, act]));
}
