import { readEstimation, type SummaryEstimation } from "#records/summary.ts";
import type { DefinitionsRecord, SessionRecord } from "#records/record.ts";
import type { CallKind } from "./call-kinds.ts";
import { type RepeatRoom, RepeatTable } from "./repeat-table.ts";
import { SeenNumbers, type SeenRoom } from "./record-filter.ts";
import type { Sums } from "./usage-sums.ts";
import type { TimeZone } from "./calendar.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { DefinitionList, LoadableTools } from "./definition-lists.ts";

export type SessionFacts = {
  readonly id: string;
  readonly beganMs: number;
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

export type SessionListing = {
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

  // An empty list never replaces a filled one: it may mean that `tools/list` failed or was never requested.
  addDefinitions(server: string, added: SessionDefinitions): void {
    const known = this.definitions.get(server);
    const isBetter =
      !known || (added.hasTools === known.hasTools ? added.seq > known.seq : added.hasTools);
    if (isBetter) this.definitions.set(server, added);
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
