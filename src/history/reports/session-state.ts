import { readEstimation } from "#records/certainty.ts";
import type { DefinitionsRecord, SessionRecord, MeterRecord } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { CallKind } from "./call-kinds.ts";
import { type RepeatRoom, RepeatTable } from "./repeat-table.ts";
import { SeenNumbers, SeenRecords, type SeenRoom } from "./seen-records.ts";
import type { Sums } from "./sums.ts";
import { type TimeZone, InstantReader } from "./calendar.ts";
import type { TimeRange } from "./time-range.ts";
import { matchesAnyPattern } from "#kit/text/match-names.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { countTokensToLoad } from "#tokens/cost/definitions-cost.ts";

export type SessionFacts = {
  readonly id: string;
  readonly beganMs: number;
  /** The time of its newest record. */
  readonly lastMs: number;
  readonly beganLocal: string;
  readonly client: string | null;
  readonly model: string | null;
  readonly machine: string | null;
  readonly user: string | null;
  readonly estimation: SummaryEstimation | null;
};

export type CallCell = {
  readonly range: number;
  readonly day: number;
  readonly kind: CallKind;
  readonly number: number;
  readonly sums: Sums;
};

type SessionDefinitions = {
  readonly seq: number;
  readonly ms: number;
  readonly hasTools: boolean;
  readonly listedTokens: number;
  readonly residentTokens: number;
  readonly list: DefinitionList | undefined;
  readonly deferred?: { readonly tools: LoadableTools | undefined; readonly loadingTokens: number };
};

export type SessionList = {
  readonly server: string;
  readonly ms: number;
  readonly tokens: number;
  readonly session: SessionFacts;
  readonly clientSession: string | undefined;
};

export class SessionState {
  readonly id: string;
  readonly seenNumbers: SeenNumbers;
  readonly repeats: RepeatTable;
  readonly cells = new Map<number, CallCell>();
  readonly newestCellByTool = new Map<string | null, CallCell>();
  readonly definitions = new Map<string, SessionDefinitions>();
  #record: SessionRecord | undefined;
  #beganMs = Infinity;
  #lastMs = -Infinity;

  constructor(id: string, seenRoom: SeenRoom, repeatRoom: RepeatRoom) {
    this.id = id;
    this.seenNumbers = new SeenNumbers(seenRoom);
    this.repeats = new RepeatTable(repeatRoom);
  }

  get server(): string | undefined {
    return this.#record?.server;
  }

  get clientSession(): string | undefined {
    return this.#record?.client_session_id_sha256;
  }

  describe(zone: TimeZone): SessionFacts {
    const record = this.#record;
    return {
      id: this.id,
      beganMs: this.#beganMs,
      lastMs: this.#lastMs,
      beganLocal: zone.formatMinute(this.#beganMs),
      client: nameClient(record?.client_name ?? null),
      model: record?.model ?? null,
      machine: record?.machine ?? null,
      user: record?.user ?? null,
      estimation: record ? readEstimation(record) : null,
    };
  }

  addTime(ms: number): void {
    if (ms < this.#beganMs) this.#beganMs = ms;
    if (ms > this.#lastMs) this.#lastMs = ms;
  }

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }

  // An empty list never replaces a filled one: listing failed, or no client listed again.
  addDefinitions(server: string, newer: SessionDefinitions): void {
    const known = this.definitions.get(server);
    const isBetter =
      !known || (newer.hasTools === known.hasTools ? newer.seq > known.seq : newer.hasTools);
    if (isBetter) this.definitions.set(server, newer);
  }
}

export function countDefinitionTokens(
  { listedTokens, residentTokens, deferred }: SessionDefinitions,
  called: ReadonlySet<string>,
): Pick<Sums, "definition_lists" | "listed_tokens" | "resident_tokens" | "loaded_tokens"> {
  const tools = deferred?.tools;
  const loaded = tools ? [...called].filter((name) => tools.has(name)) : [];
  const loadingTokens = loaded.length > 0 ? (deferred?.loadingTokens ?? 0) : 0;
  return {
    definition_lists: 1,
    listed_tokens: listedTokens,
    resident_tokens: residentTokens,
    loaded_tokens: loaded.reduce((sum, name) => sum + (tools?.get(name) ?? 0), loadingTokens),
  };
}

export function summarizeDefinitions(
  record: DefinitionsRecord,
  ms: number,
  { tools, list }: { readonly tools: LoadableTools | undefined } & Pick<SessionDefinitions, "list">,
): SessionDefinitions {
  return {
    seq: record.seq,
    ms,
    hasTools: record.tools_total > 0,
    listedTokens: record.total_tokens,
    residentTokens: record.resident_tokens,
    list,
    ...(record.is_deferred
      ? { deferred: { tools, loadingTokens: record.loading_tokens ?? 0 } }
      : {}),
  };
}

export type RecordChoice = {
  readonly range: TimeRange;
  readonly filters: { readonly servers: readonly string[]; readonly tools: readonly string[] };
};

export type TimedRecord = { readonly record: MeterRecord; readonly ms: number };

export class RecordFilter {
  readonly #choice: RecordChoice;
  readonly #instants = new InstantReader();

  constructor(choice: RecordChoice) {
    this.#choice = choice;
  }

  readTime({ ts }: Pick<MeterRecord, "ts">): number {
    return this.#instants.read(ts);
  }

  isWanted({ record, ms }: TimedRecord): boolean {
    const { range, filters } = this.#choice;
    if (!(ms >= range.fromMs && ms < range.toMs)) return false;
    const { servers, tools } = filters;
    if (!matchesAnyPattern(servers, record.server)) return false;
    if (tools.length === 0 || record.type === "session") return true;
    const hasTool = record.type === "call" || record.type === "alert";
    return hasTool && record.tool !== null && matchesAnyPattern(tools, record.tool);
  }

  isWantedCall(
    { server, tool }: { readonly server: string; readonly tool: string },
    ms: number,
  ): boolean {
    const { range, filters } = this.#choice;
    if (!(ms >= range.fromMs && ms < range.toMs)) return false;
    return matchesAnyPattern(filters.servers, server) && matchesAnyPattern(filters.tools, tool);
  }
}

// About a kilobyte each.
export const listedToolsMax = 50_000;

export type DefinitionList = Omit<DefinitionsRecord, "ts" | "session_id" | "seq">;

// Most sessions get the same list, so each is stored once, up to a number of tools.
class SharedLists<List> {
  readonly #lists = new Map<string, List>();
  #room: number;

  constructor(toolsMax: number) {
    this.#room = toolsMax;
  }

  share(content: unknown, tools: number, makeList: () => List): List | undefined {
    const key = JSON.stringify(content);
    const known = this.#lists.get(key);
    if (known || tools > this.#room) return known;
    const list = makeList();
    this.#lists.set(key, list);
    this.#room -= tools;
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
  readonly oldestWhole: DatedList | undefined;
  readonly newestWhole: DatedList | undefined;
};

export const noLists: KnownLists = {
  newest: undefined,
  oldestWhole: undefined,
  newestWhole: undefined,
};

// A list is empty if listing failed or no client listed, so it is ignored.
export function includeList(known: KnownLists, dated: DatedList | undefined): KnownLists {
  if (!dated || dated.list.tools_total === 0) return known;
  const { is_complete: isWhole } = dated.list;
  return {
    newest: pickNewer(known.newest, dated),
    oldestWhole: isWhole ? pickOlder(known.oldestWhole, dated) : known.oldestWhole,
    newestWhole: isWhole ? pickNewer(known.newestWhole, dated) : known.newestWhole,
  };
}

export function mergeLists(a: KnownLists, b: KnownLists): KnownLists {
  const { newest, oldestWhole, newestWhole } = b;
  return [newest, oldestWhole, newestWhole].reduce(includeList, a);
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

export const deferredToolsMax = 100_000;

type LoadableTools = ReadonlyMap<string, number>;

export class DeferredLists {
  readonly #shared = new SharedLists<LoadableTools>(deferredToolsMax);

  share({ tools }: DefinitionsRecord) {
    const loadable = tools.map((tool) => [tool.name, countTokensToLoad(tool)] as const);
    return this.#shared.share(loadable, loadable.length, () => new Map(loadable));
  }
}

export type TakeTimed = (timed: TimedRecord) => void;

/**
 * Passes each wanted record to `take` once, and the others to `skip`. The returned function is false for a record
 * without a valid time.
 */
export function filterRecords(
  choice: RecordChoice,
  take: TakeTimed,
  skip: TakeTimed = () => undefined,
): (record: MeterRecord) => boolean {
  const seen = new SeenRecords();
  const filter = new RecordFilter(choice);
  return (record) => {
    const timed = { record, ms: filter.readTime(record) };
    if (Number.isNaN(timed.ms)) return false;
    if (!filter.isWanted(timed)) skip(timed);
    else if (seen.isNew(record)) take(timed);
    return true;
  };
}
