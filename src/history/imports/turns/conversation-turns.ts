import type { BoundaryEvent, EntryEvent, LoggedUsage } from "../log-event.ts";
import type { LoggedCall } from "../merge-calls.ts";
import type { LoggedRequest } from "../merge-requests.ts";

export type ConversationTurns = {
  readonly conversation: string;
  readonly turns: readonly LoggedTurn[];
  readonly calls: readonly PlacedCall[];
};

export type PlacedCall = {
  readonly call: LoggedCall;
  readonly asked: number;
  readonly readBy: number | null;
};

export type TurnSources = {
  readonly requests: readonly LoggedRequest[];
  readonly boundaries: readonly BoundaryEvent[];
  readonly entries: readonly EntryEvent[];
  readonly calls: readonly LoggedCall[];
};

/** One conversation after another. Requests without a time, and those that are not logged, are left out. */
export function* conversationTurns(sources: TurnSources): Generator<ConversationTurns> {
  const timed = sources.requests.filter(({ at, isLogged }) => at !== null && isLogged);
  const byConversation = Map.groupBy(timed, ({ conversation }) => conversation);
  const boundaries = Map.groupBy(sources.boundaries, ({ conversation }) => conversation);
  const entries = Map.groupBy(sources.entries, ({ conversation }) => conversation);
  const calls = Map.groupBy(sources.calls, ({ conversation }) => conversation);
  for (const [conversation, requests] of byConversation) {
    yield turnsOf(conversation, {
      requests,
      boundaries: boundaries.get(conversation) ?? [],
      entries: entries.get(conversation) ?? [],
      calls: calls.get(conversation) ?? [],
    });
  }
}

function turnsOf(conversation: string, sources: TurnSources): ConversationTurns {
  const requests = sources.requests.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const times = requests.map(({ at }) => at ?? 0);
  const anew = new Set(
    sources.boundaries.flatMap(({ at }) => (at === null ? [] : [firstNotBefore(times, at)])),
  );
  let context = 0;
  const contexts = times.map((_, index) => (context += anew.has(index) ? 1 : 0));
  const byMessage = new Map(requests.map(({ message }, index) => [message, index]));
  const calls = sources.calls.flatMap((call) => {
    const asked = byMessage.get(call.message ?? "") ?? askedAt(times, call.at);
    return [{ call, asked, readBy: readBy({ times, contexts, asked }, call) }];
  });
  const entered = requests.map(() => nothing());
  for (const { call, readBy: reader } of calls) addAnswer(entered[reader ?? -1], call);
  for (const entry of sources.entries) addEntry(entered, times, entry);
  const turns = requests.map(({ at, model, usage, nativeCost }, index) => ({
    at,
    model,
    usage,
    nativeCost,
    startsOver: anew.has(index),
    entered: entered[index] ?? nothing(),
  }));
  return { conversation, turns, calls };
}

/** Clients without a message per call write the usage of a request behind its calls. */
function askedAt(times: readonly number[], at: number | null): number {
  return Math.min(firstNotBefore(times, at ?? Infinity), times.length - 1);
}

type Places = {
  readonly times: readonly number[];
  readonly contexts: readonly number[];
  readonly asked: number;
};

/** A context that starts over between the question and the next prompt has lost the answer. */
function readBy({ times, contexts, asked }: Places, { answeredAt }: LoggedCall): number | null {
  if (answeredAt === null) return null;
  const reader = Math.max(asked + 1, firstAfter(times, answeredAt));
  return contexts[reader] === contexts[asked] ? reader : null;
}

type Counted = { -readonly [key in keyof Entered]: Entered[key] };

function nothing(): Counted {
  return { answers: 0, answerTokens: 0, unmeasured: 0, texts: 0, otherResults: 0, hidden: 0 };
}

function addAnswer(entered: Counted | undefined, { visible, tokens, images }: LoggedCall): void {
  if (!entered) return;
  entered.answers += 1;
  if (tokens === null || images > 0 || visible === "unknown") entered.unmeasured += 1;
  else entered.answerTokens += tokens;
}

function addEntry(
  entered: readonly Counted[],
  times: readonly number[],
  { at, entry }: EntryEvent,
): void {
  if (at === null) return;
  // Reasoning belongs to the answer that is being written: it can be in the prompt after it.
  const index = entry === "reasoning" ? firstAfter(times, at) : firstNotBefore(times, at);
  const place = entered[index];
  if (!place) return;
  if (entry === "reasoning") place.hidden += 1;
  else if (entry === "text") place.texts += 1;
  else place.otherResults += 1;
}

export type LoggedTurn = {
  readonly at: number | null;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  readonly nativeCost: number | null;
  readonly startsOver: boolean;
  readonly entered: Entered;
};

type Entered = {
  readonly answers: number;
  readonly answerTokens: number;
  readonly unmeasured: number;
  readonly texts: number;
  readonly otherResults: number;
  readonly hidden: number;
};

export function firstNotBefore(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time >= at);
}

export function firstAfter(times: readonly number[], at: number): number {
  return firstWhere(times, (time) => time > at);
}

function firstWhere(times: readonly number[], fits: (time: number) => boolean): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(times[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
