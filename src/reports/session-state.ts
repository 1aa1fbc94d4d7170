import { estimationOf } from "#records/certainty.ts";
import type { DefinitionsRecord, SessionRecord } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { CallKind } from "./call-kinds.ts";
import type { LoadableTools } from "./deferred-lists.ts";
import type { DefinitionList } from "./definition-lists.ts";
import { type RepeatRoom, RepeatTable } from "./repeat-table.ts";
import { SeenNumbers, type SeenRoom } from "./seen-numbers.ts";
import type { Sums } from "./sums.ts";
import type { TimeZone } from "./time-zone.ts";

/** Facts of a session that its newest `session` record has. */
export type SessionFacts = {
  readonly id: string;
  /** The time of its first record, in ms since 1970 UTC. */
  readonly beganMs: number;
  /** Its local date and time to the minute. */
  readonly beganLocal: string;
  /** Null for a client without a name, and without a session record. */
  readonly client: string | null;
  readonly model: string | null;
  /** Null where the session record has none: it is older, or its user wanted none. */
  readonly machine: string | null;
  /** Null without a session record. */
  readonly estimation: SummaryEstimation | null;
};

/** Calls of one session, day, server, method, tool and model. */
export type CallCell = {
  readonly range: number;
  readonly day: number;
  readonly kind: CallKind;
  /** Its place among all cells. */
  readonly number: number;
  readonly sums: Sums;
};

/** The definitions of a server in one session. */
export type SessionDefinitions = {
  readonly seq: number;
  readonly ms: number;
  readonly hasTools: boolean;
  readonly listedTokens: number;
  readonly residentTokens: number;
  /** The list itself; undefined when it is not wanted, or there was no room for it. */
  readonly list: DefinitionList | undefined;
  /** Present where the client loads them on demand; `tools` is undefined when there was no room for them. */
  readonly deferred?: { readonly tools: LoadableTools | undefined; readonly loadingTokens: number };
};

/** The definitions of a server in the context of a session, in tokens. */
export type SessionList = {
  readonly server: string;
  readonly ms: number;
  readonly tokens: number;
  readonly session: SessionFacts;
  /** Hash of the client's own id of the session. */
  readonly clientSession: string | undefined;
};

/** Everything that is known of one session while records are read, in any order. */
export class SessionState {
  readonly id: string;
  readonly seen: SeenNumbers;
  readonly repeats: RepeatTable;
  /** By range, day and kind. */
  readonly cells = new Map<number, CallCell>();
  /** The cell of the newest call of each tool. */
  readonly newestCells = new Map<string | null, CallCell>();
  readonly definitions = new Map<string, SessionDefinitions>();
  /** The newest record that names the client. */
  #record: SessionRecord | undefined;
  #beganMs = Infinity;

  constructor(id: string, seenRoom: SeenRoom, repeatRoom: RepeatRoom) {
    this.id = id;
    this.seen = new SeenNumbers(seenRoom);
    this.repeats = new RepeatTable(repeatRoom);
  }

  /** The server of its newest session record. */
  get server(): string | undefined {
    return this.#record?.server;
  }

  /** Hash of the client's own id of its session, where the client gives it. */
  get clientSession(): string | undefined {
    return this.#record?.client_session_id_sha256;
  }

  /** All that is known about the session, once all records are read. */
  factsIn(zone: TimeZone): SessionFacts {
    const record = this.#record;
    return {
      id: this.id,
      beganMs: this.#beganMs,
      beganLocal: zone.minuteText(this.#beganMs),
      client: record?.client_name ?? null,
      model: record?.model ?? null,
      machine: record?.machine ?? null,
      estimation: record ? estimationOf(record) : null,
    };
  }

  addTime(ms: number): void {
    if (ms < this.#beganMs) this.#beganMs = ms;
  }

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }

  /** A list without tools replaces none that has some: it failed, or no client requested it again. */
  addDefinitions(server: string, newer: SessionDefinitions): void {
    const known = this.definitions.get(server);
    const isBetter =
      !known || (newer.hasTools === known.hasTools ? newer.seq > known.seq : newer.hasTools);
    if (isBetter) this.definitions.set(server, newer);
  }
}

/** The sums of definitions as facts of a report have them. */
export function definitionTokens(
  { listedTokens, residentTokens, deferred }: SessionDefinitions,
  called: ReadonlySet<string>,
): Pick<Sums, "definition_lists" | "listed_tokens" | "resident_tokens" | "loaded_tokens"> {
  const tools = deferred?.tools;
  const loaded = tools ? [...called].filter((name) => tools.has(name)) : [];
  const first = loaded.length > 0 ? (deferred?.loadingTokens ?? 0) : 0;
  return {
    definition_lists: 1,
    listed_tokens: listedTokens,
    resident_tokens: residentTokens,
    loaded_tokens: loaded.reduce((sum, name) => sum + (tools?.get(name) ?? 0), first),
  };
}

/** The definitions of a record. */
export function definitionsOf(
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
