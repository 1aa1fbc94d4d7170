import { findFirstNotBefore } from "./conversation-turns.ts";
import { sessionStartMaxMs } from "./requests-from-totals.ts";
import type { LogEvent } from "./log-event.ts";

// `groupFiles` uses these ids and start times to find files that may share events and must be merged together.
export type FileTies = {
  // Hashes of ids. A collision can only make a group larger than necessary.
  readonly ids: Uint32Array;
  readonly beganMs: readonly number[];
  readonly totalsBeganMs: readonly number[];
};

export function findTies(events: readonly LogEvent[]): FileTies {
  const ids = new Set<number>();
  const began = new Map<string, number>();
  const totals = new Set<number>();
  const add = (id: string | null | undefined): void => {
    if (typeof id === "string") ids.add(hashId(id));
  };
  let lastConversation = "";
  for (const event of events) {
    const { at, conversation } = event;
    if (conversation !== lastConversation) add(conversation);
    lastConversation = conversation;
    addIds(event, add);
    if (at !== null && at < (began.get(conversation) ?? Infinity)) began.set(conversation, at);
    if (event.kind === "session_total" && typeof event.startMs === "number") {
      totals.add(event.startMs);
    }
  }
  return {
    ids: Uint32Array.from(ids),
    beganMs: [...new Set(began.values())],
    totalsBeganMs: [...totals],
  };
}

function addIds(event: LogEvent, add: (id: string | null | undefined) => void): void {
  switch (event.kind) {
    case "conversation":
      add(event.session);
      add(event.parent);
      break;
    case "request":
      add(event.keys.message ?? event.keys.line);
      add(event.keys.copy);
      break;
    case "tool_use":
    case "tool_result":
    case "tool_end":
      add(event.id);
      break;
    case "boundary":
    case "entry":
      add(event.line);
      break;
    default:
  }
}

function hashId(id: string): number {
  let hash = id.length;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Groups files that may share events. The groups, and the files in each, keep the order of `files`. */
export function groupFiles<File extends { readonly ties: FileTies }>(
  files: readonly File[],
): readonly (readonly File[])[] {
  const groups = new JoinedFiles(files.length);
  const owners = new Map<number, number>();
  const mayBeShared = makeSharedFilter(files);
  for (const [index, { ties }] of files.entries()) {
    for (const id of ties.ids) {
      if (!mayBeShared(id)) continue;
      const owner = owners.get(id);
      if (owner === undefined) owners.set(id, index);
      else groups.join(owner, index);
    }
  }
  joinByStart(files, groups);
  return [...Map.groupBy(files.keys(), (index) => groups.findFirst(index)).values()].map(
    (indices) => indices.flatMap((index) => files[index] ?? []),
  );
}

const filterMask = 2 ** 22 - 1;

// Finds ids that more than one file may have. Few ids are shared, and a map of all ids would take far longer.
function makeSharedFilter(files: readonly { readonly ties: FileTies }[]): (id: number) => boolean {
  const timesSeen = new Uint8Array(filterMask + 1);
  for (const { ties } of files) {
    for (const id of ties.ids) {
      const at = id & filterMask;
      timesSeen[at] = Math.min(2, (timesSeen[at] ?? 0) + 1);
    }
  }
  return (id) => timesSeen[id & filterMask] === 2;
}

// A session's total may include another session's usage in two cases. Either the totals of both sessions started at the
// same time, or the other session began soon after this total started.
function joinByStart(files: readonly { readonly ties: FileTies }[], groups: JoinedFiles): void {
  const sessions = files
    .flatMap(({ ties }, index) => ties.beganMs.map((ms) => ({ ms, index })))
    .toSorted((a, b) => a.ms - b.ms);
  const times = sessions.map(({ ms }) => ms);
  const owners = new Map<number, number>();
  for (const [index, { ties }] of files.entries()) {
    for (const startMs of ties.totalsBeganMs) {
      groups.join(owners.get(startMs) ?? index, index);
      owners.set(startMs, index);
      const end = findFirstNotBefore(times, startMs + sessionStartMaxMs + 1);
      const soonAfter = sessions.slice(findFirstNotBefore(times, startMs), end);
      for (const session of soonAfter) groups.join(session.index, index);
    }
  }
}

class JoinedFiles {
  readonly #parents: Uint32Array;

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, index) => index);
  }

  findFirst(index: number): number {
    let root = index;
    while (this.#parents[root] !== root) {
      const parent = this.#parents[root] ?? root;
      this.#parents[root] = this.#parents[parent] ?? parent;
      root = parent;
    }
    return root;
  }

  join(a: number, b: number): void {
    const [first, second] = [this.findFirst(a), this.findFirst(b)];
    this.#parents[Math.max(first, second)] = Math.min(first, second);
  }
}
