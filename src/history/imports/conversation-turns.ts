import type { BoundaryEvent, EntryEvent, LoggedUsage } from "./log-event.ts";
import type { LoggedCall } from "./merge-calls.ts";
import type { LoggedRequest } from "./merge-requests.ts";

export type ConversationTurns = {
  readonly conversation: string;
  readonly turns: readonly LoggedTurn[];
  readonly calls: readonly PlacedCall[];
};

export type PlacedCall = {
  readonly call: LoggedCall;
  readonly turn: number;
  readonly readBy: number | null;
};

export type TurnSources = {
  readonly requests: readonly LoggedRequest[];
  readonly boundaries: readonly BoundaryEvent[];
  readonly entries: readonly EntryEvent[];
  readonly calls: readonly LoggedCall[];
};

export function* groupTurns(sources: TurnSources): Generator<ConversationTurns> {
  const timed = sources.requests.filter(({ at, isLogged }) => at !== null && isLogged);
  const byConversation = Map.groupBy(timed, ({ conversation }) => conversation);
  const boundaries = Map.groupBy(sources.boundaries, ({ conversation }) => conversation);
  const entries = Map.groupBy(sources.entries, ({ conversation }) => conversation);
  const calls = Map.groupBy(sources.calls, ({ conversation }) => conversation);
  for (const [conversation, requests] of byConversation) {
    yield makeTurns(conversation, {
      requests,
      boundaries: boundaries.get(conversation) ?? [],
      entries: entries.get(conversation) ?? [],
      calls: calls.get(conversation) ?? [],
    });
  }
}

function makeTurns(conversation: string, sources: TurnSources): ConversationTurns {
  const requests = sources.requests.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const times = requests.map(({ at }) => at ?? 0);
  const restarts = new Set(
    sources.boundaries.flatMap(({ at }) => (at === null ? [] : [findFirstNotBefore(times, at)])),
  );
  // `contexts` has a number for each turn: turns of the same context have the same number.
  let context = 0;
  const contexts = times.map((_, index) => {
    if (restarts.has(index)) context += 1;
    return context;
  });
  const byMessage = new Map(requests.map(({ message }, index) => [message, index]));
  const calls = sources.calls.flatMap((call) => {
    const turn = byMessage.get(call.message ?? "") ?? findTurn(times, call.at);
    return [{ call, turn, readBy: findReader({ times, contexts, turn }, call) }];
  });
  const contents = requests.map(() => makeEmptyContent());
  for (const { call, readBy } of calls) {
    if (readBy !== null) addAnswer(contents[readBy], call);
  }
  for (const entry of sources.entries) addEntry(contents, times, entry);
  const turns = requests.map(({ at, model, usage, nativeCost }, index) => ({
    at,
    model,
    usage,
    nativeCost,
    startsOver: restarts.has(index),
    newContent: contents[index] ?? makeEmptyContent(),
  }));
  return { conversation, turns, calls };
}

// A log without message ids records each request after its calls. So a call belongs to the request recorded next.
function findTurn(times: readonly number[], at: number | null): number {
  return Math.min(findFirstNotBefore(times, at ?? Infinity), times.length - 1);
}

type CallContext = {
  readonly times: readonly number[];
  readonly contexts: readonly number[];
  readonly turn: number;
};

// Returns the first turn whose prompt has the answer. Null if the time of the answer is unknown, no turn is later,
// or the context starts over first.
function findReader(
  { times, contexts, turn }: CallContext,
  { answeredAt }: LoggedCall,
): number | null {
  if (answeredAt === null) return null;
  const reader = Math.max(turn + 1, findFirstAfter(times, answeredAt));
  return contexts[reader] === contexts[turn] ? reader : null;
}

type MutableContent = { -readonly [key in keyof NewContent]: NewContent[key] };

function makeEmptyContent(): MutableContent {
  return {
    answers: 0,
    answerTokens: 0,
    unmeasured: 0,
    texts: 0,
    otherResults: 0,
    hiddenReasonings: 0,
  };
}

function addAnswer(
  content: MutableContent | undefined,
  { visible, tokens, images }: LoggedCall,
): void {
  if (!content) return;
  content.answers += 1;
  if (tokens === null || images > 0 || visible === "unknown") content.unmeasured += 1;
  else content.answerTokens += tokens;
}

function addEntry(
  contents: readonly MutableContent[],
  times: readonly number[],
  { at, entry }: EntryEvent,
): void {
  if (at === null) return;
  // Reasoning is part of the model's response to a prompt, so only a later prompt can contain it.
  const index = entry === "reasoning" ? findFirstAfter(times, at) : findFirstNotBefore(times, at);
  const content = contents[index];
  if (!content) return;
  if (entry === "reasoning") content.hiddenReasonings += 1;
  else if (entry === "text") content.texts += 1;
  else content.otherResults += 1;
}

export type LoggedTurn = {
  readonly at: number | null;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  readonly nativeCost: number | null;
  readonly startsOver: boolean;
  readonly newContent: NewContent;
};

export type NewContent = {
  readonly answers: number;
  readonly answerTokens: number;
  // Answers whose tokens are unknown, or known only in part.
  readonly unmeasured: number;
  readonly texts: number;
  readonly otherResults: number;
  readonly hiddenReasonings: number;
};

export function findFirstNotBefore(times: readonly number[], at: number): number {
  return searchFirst(times, (time) => time >= at);
}

export function findFirstAfter(times: readonly number[], at: number): number {
  return searchFirst(times, (time) => time > at);
}

function searchFirst(times: readonly number[], isMatch: (time: number) => boolean): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMatch(times[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
