import type { Conversation } from "../conversation.ts";
import { batch, calls, repeats } from "./calls.ts";
import { early } from "./early.ts";
import { listing } from "./listing.ts";
import { noise } from "./noise.ts";
import { rounds } from "./rounds.ts";
import { serverRequest } from "./server-requests.ts";
import { task } from "./tasks.ts";

/** Something that happens in a conversation. */
export type Act = (conversation: Conversation) => void;

/** Acts that may alternate with others, with their frequency. */
export const acts: readonly (readonly [weight: number, act: Act])[] = [
  [10, calls],
  [3, task],
  [3, rounds],
  [2, serverRequest],
  [2, noise],
  [1, repeats],
  [1, batch],
];

/** Acts that run alone: they leave a line unfinished, or change what the tools are. */
export const soloActs: readonly (readonly [weight: number, act: Act])[] = [
  [2, listing],
  [1, early],
];
