import type { DefinitionList } from "../definition-lists.ts";
import type { RefusableCalls } from "./call-runs.ts";
import type { ToolUsage } from "./tool-usage.ts";

export type DatedList = {
  readonly ts: string;
  readonly ms: number;
  readonly list: DefinitionList;
};

export type KnownLists = {
  readonly newest: DatedList | undefined;
  readonly oldestWhole: DatedList | undefined;
  readonly newestWhole: DatedList | undefined;
};

export const noLists: KnownLists = {
  newest: undefined,
  oldestWhole: undefined,
  newestWhole: undefined,
};

/** Either may be older. A list without tools failed, or was not requested. */
export function withList(known: KnownLists, dated: DatedList | undefined): KnownLists {
  if (!dated || dated.list.tools_total === 0) return known;
  const { is_complete: isWhole } = dated.list;
  return {
    newest: newer(known.newest, dated),
    oldestWhole: isWhole ? older(known.oldestWhole, dated) : known.oldestWhole,
    newestWhole: isWhole ? newer(known.newestWhole, dated) : known.newestWhole,
  };
}

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

/** Of equal times the smaller list comes first, so that the order of files does not matter. */
function isBefore(one: DatedList, other: DatedList): boolean {
  return one.ms === other.ms ? one.list.total_tokens < other.list.total_tokens : one.ms < other.ms;
}

export type NamedTools = {
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly requests: number;
};

export type UsedTool = {
  readonly name: string;
  readonly isTool: boolean;
  readonly usage: ToolUsage;
  readonly refusable: RefusableCalls;
};

export type ServerUsage = {
  readonly server: string;
  readonly sessions: number;
  readonly tools: readonly UsedTool[];
  readonly called: ReadonlySet<string>;
  readonly calls: number;
  readonly lists: KnownLists;
  /** Each whole list that any session got, once. */
  readonly contents: ReadonlySet<DefinitionList>;
  readonly named: readonly NamedTools[];
  readonly describing: KnownLists;
  readonly residentTokens: number;
};
