import type { DefinitionList } from "../definition-lists.ts";
import type { RefusableCalls } from "./call-runs.ts";
import type { ToolUsage } from "./tool-usage.ts";

/** A list of tools, and the time at which it was requested. */
export type DatedList = {
  /** ISO 8601. */
  readonly ts: string;
  readonly ms: number;
  readonly list: DefinitionList;
};

/** The lists of a server that advice compares: those of one session, or of many. */
export type KnownLists = {
  /** The newest list with tools. */
  readonly newest: DatedList | undefined;
  /** The oldest and the newest list that has all pages. */
  readonly oldestWhole: DatedList | undefined;
  readonly newestWhole: DatedList | undefined;
};

export const noLists: KnownLists = {
  newest: undefined,
  oldestWhole: undefined,
  newestWhole: undefined,
};

/** The lists with another one, which may be older or newer. One without tools failed, or was not requested. */
export function withList(known: KnownLists, dated: DatedList | undefined): KnownLists {
  if (!dated || dated.list.tools_total === 0) return known;
  const { is_complete: isWhole } = dated.list;
  return {
    newest: newer(known.newest, dated),
    oldestWhole: isWhole ? older(known.oldestWhole, dated) : known.oldestWhole,
    newestWhole: isWhole ? newer(known.newestWhole, dated) : known.newestWhole,
  };
}

/** The lists of both. */
export function mergeLists(one: KnownLists, other: KnownLists): KnownLists {
  const { newest, oldestWhole, newestWhole } = other;
  return [newest, oldestWhole, newestWhole].reduce(withList, one);
}

function newer(one: DatedList | undefined, other: DatedList): DatedList {
  return !one || isBefore(one, other) ? other : one;
}

function older(one: DatedList | undefined, other: DatedList): DatedList {
  return !one || isBefore(other, one) ? other : one;
}

/** By time; of equal times the smaller list is the earlier one, so that the order of files does not matter. */
function isBefore(one: DatedList, other: DatedList): boolean {
  return one.ms === other.ms ? one.list.total_tokens < other.list.total_tokens : one.ms < other.ms;
}

/** Tools that a log lists by their names, and the requests whose prompts held the names. */
export type NamedTools = {
  readonly tools: readonly string[];
  /** Of the names in one prompt. */
  readonly tokens: number;
  readonly requests: number;
};

/** The calls of a tool, or of a method without tools, whose name is `(resources/read)`. */
export type UsedTool = {
  readonly name: string;
  readonly isTool: boolean;
  readonly usage: ToolUsage;
  /** Calls that `--max-repeats` of the advice would have refused. */
  readonly refusable: RefusableCalls;
};

/** Everything that advice about one server is made from. */
export type ServerUsage = {
  readonly server: string;
  /** Sessions that began in the period. */
  readonly sessions: number;
  readonly tools: readonly UsedTool[];
  /** Names of the tools that were called. */
  readonly called: ReadonlySet<string>;
  readonly calls: number;
  readonly lists: KnownLists;
  /** Lists of names that logs have, of conversations that did not run behind mcp-meter. */
  readonly named: readonly NamedTools[];
  /** Lists that say which parameters a tool has: these, and others that are not of the choice. */
  readonly describing: KnownLists;
  /** Tokens of definitions and instructions that were in the contexts of all sessions. */
  readonly residentTokens: number;
};
