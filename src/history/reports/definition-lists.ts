import type { DefinitionsRecord } from "#records/record.ts";
import { countTokensToLoad } from "#tokens/cost/definitions-cost.ts";

// A tool takes about a kilobyte of memory.
export const listedToolsMax = 50_000;

export type DefinitionList = Omit<DefinitionsRecord, "ts" | "session_id" | "seq">;

// Most sessions get the same list, so equal lists are stored once.
class SharedLists<List> {
  readonly #lists = new Map<string, List>();
  #toolsLeft: number;

  constructor(toolsMax: number) {
    this.#toolsLeft = toolsMax;
  }

  share(content: unknown, tools: number, makeList: () => List): List | undefined {
    const key = JSON.stringify(content);
    const known = this.#lists.get(key);
    if (known || tools > this.#toolsLeft) return known;
    const list = makeList();
    this.#lists.set(key, list);
    this.#toolsLeft -= tools;
    return list;
  }
}

export class DefinitionLists {
  readonly #shared = new SharedLists<DefinitionList>(listedToolsMax);

  share({ ts: _ts, session_id: _id, seq: _seq, ...list }: DefinitionsRecord) {
    return this.#shared.share(list, list.tools.length, () => list);
  }
}

export type DatedList = {
  readonly ts: string;
  readonly ms: number;
  readonly list: DefinitionList;
};

export type KnownLists = {
  readonly newest: DatedList | undefined;
  readonly oldestComplete: DatedList | undefined;
  readonly newestComplete: DatedList | undefined;
};

export const noLists: KnownLists = {
  newest: undefined,
  oldestComplete: undefined,
  newestComplete: undefined,
};

// Ignores an empty list: it usually means that listing failed or that the client did not ask for a list.
export function includeList(known: KnownLists, dated: DatedList | undefined): KnownLists {
  if (!dated || dated.list.tools_total === 0) return known;
  const { is_complete: isComplete } = dated.list;
  return {
    newest: pickNewer(known.newest, dated),
    oldestComplete: isComplete ? pickOlder(known.oldestComplete, dated) : known.oldestComplete,
    newestComplete: isComplete ? pickNewer(known.newestComplete, dated) : known.newestComplete,
  };
}

export function mergeLists(a: KnownLists, b: KnownLists): KnownLists {
  const { newest, oldestComplete, newestComplete } = b;
  return [newest, oldestComplete, newestComplete].reduce(includeList, a);
}

function pickNewer(a: DatedList | undefined, b: DatedList): DatedList {
  return !a || isBefore(a, b) ? b : a;
}

function pickOlder(a: DatedList | undefined, b: DatedList): DatedList {
  return !a || isBefore(b, a) ? b : a;
}

// At equal times the smaller list comes first, so that the order of files does not matter.
function isBefore(a: DatedList, b: DatedList): boolean {
  return a.ms === b.ms ? a.list.total_tokens < b.list.total_tokens : a.ms < b.ms;
}

/** Includes the deferred definitions of called tools, because a model loads these before it calls the tools. */
export function countContextTokens(
  list: DefinitionList,
  called: ReadonlyMap<string, number>,
): number {
  const loaded = list.is_deferred ? list.tools.filter(({ name }) => called.has(name)) : [];
  const loadingTokens = loaded.length === 0 ? 0 : (list.loading_tokens ?? 0);
  return loaded.reduce(
    (sum, tool) => sum + countTokensToLoad(tool),
    list.resident_tokens + loadingTokens,
  );
}

export const deferredToolsMax = 100_000;

/** Maps a tool's name to the tokens for loading its definition. */
export type LoadableTools = ReadonlyMap<string, number>;

export class DeferredLists {
  readonly #shared = new SharedLists<LoadableTools>(deferredToolsMax);

  share({ tools }: DefinitionsRecord) {
    const loadable = tools.map((tool) => [tool.name, countTokensToLoad(tool)] as const);
    return this.#shared.share(loadable, loadable.length, () => new Map(loadable));
  }
}
