import type { Effects } from "#session/effects.ts";
import { appendElements, arrayElements, keepElements } from "#wire/elements.ts";
import type { Line } from "#wire/line.ts";
import { isObject } from "#wire/json.ts";
import { oddNamesMax } from "#limits/http.ts";
import type { Message, SingleMessage } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";

/** Decides about one message; a promise while it is kept. */
export type Decide = (message: Line) => Effects | Promise<Effects>;

/** The fate of a body or event, which is one message or a batch. */
export type MessageVerdict =
  | { readonly passes: true }
  | {
      readonly passes: false;
      /** The batch without the messages that do not pass; undefined where none is left. */
      readonly rest: Uint8Array | undefined;
      /** Our lines for the client, in place of those that do not pass. */
      readonly ours: readonly Uint8Array[];
      readonly isBatch: boolean;
    };

/** Everything passes. */
export const asItIs: MessageVerdict = { passes: true };

/** No message passes. */
export const nothing: MessageVerdict = { passes: false, rest: undefined, ours: [], isBatch: false };

/** True when no message passes, and none is in its place. */
export function isNothing(verdict: MessageVerdict): boolean {
  return !verdict.passes && !verdict.rest && verdict.ours.length === 0;
}

/**
 * Has each message decided, at the same time. Of a batch that is longer than batches may be, no message passes; where it is
 * `strict`, nothing passes that is not a message, or that has many odd members: clients quote these in errors.
 */
export async function judge(
  line: Line,
  decide: Decide,
  isStrict: boolean = false,
): Promise<MessageVerdict> {
  const message = parseMessage(line);
  if (isStrict && !isOrdinary(message, line)) return nothing;
  if (message.kind !== "batch") {
    const { passes, toClient } = await decide(line);
    return passes ? asItIs : { passes, rest: undefined, ours: toClient, isBatch: false };
  }
  if (message.left > 0) return { passes: false, rest: undefined, ours: [], isBatch: true };
  const { bytes = new Uint8Array() } = line;
  const fates = await Promise.all(messagesIn(bytes).map(async (one) => decide(one)));
  if (fates.every(({ passes }) => passes)) return asItIs;
  const isAnyLeft = fates.some(({ passes }) => passes);
  return {
    passes: false,
    rest: isAnyLeft ? keepElements(bytes, (index) => fates[index]?.passes ?? false) : undefined,
    ours: fates.flatMap(({ toClient }) => toClient),
    isBatch: true,
  };
}

/** True for a message, or a batch of messages, with few members other than those of JSON-RPC. */
function isOrdinary(message: Message, { bytes }: Line): boolean {
  const all = message.kind === "batch" ? message.items : [message];
  if (all.some(({ kind }) => kind === "opaque")) return false;
  return !bytes || all.every(isAcceptedAnswer) || oddNamesLength(bytes) <= oddNamesMax;
}

function isAcceptedAnswer(message: SingleMessage): boolean {
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.mayBeRejected !== true;
}

const members: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

/** Characters of the names of other members. */
function oddNamesLength(bytes: Uint8Array): number {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // With `NaN`, for one: clients that reject it quote no name.
    return 0;
  }
  const names = [value].flat().flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  return names.filter((name) => !members.has(name)).join("").length;
}

/** The messages of a batch, each as a line of its own. */
function messagesIn(bytes: Uint8Array): readonly Line[] {
  return arrayElements(bytes).map(([start, end]) => {
    const message = bytes.subarray(start, end);
    return { bytes: message, size: message.length, skim: undefined };
  });
}

/** The message for the client in place of an answer: one message or a batch; undefined for nothing. */
export function insteadOf(
  verdict: Extract<MessageVerdict, { passes: false }>,
): Uint8Array | undefined {
  const { rest, ours, isBatch } = verdict;
  if (!rest && ours.length === 0) return undefined;
  return isBatch ? appendElements(rest, ours) : ours[0];
}
