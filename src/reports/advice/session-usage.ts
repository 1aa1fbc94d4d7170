import { estimationOf } from "#records/certainty.ts";
import type { SessionRecord } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { type RepeatRoom, RepeatTable } from "../repeat-table.ts";
import { CallRuns } from "./call-runs.ts";
import {
  type DatedList,
  type KnownLists,
  type NamedTools,
  noLists,
  withList,
} from "./server-usage.ts";

/** A method without tools has a row of its own, by a key that no tool has. */
const methodMark = "\n";

/** The part of a session that one server has. */
export type ServerPart = {
  /** True when the session began in the period. */
  hasBegun: boolean;
  /** Rows of calls, by tool or method. */
  readonly rows: Map<string, number>;
  lists: KnownLists;
  readonly named: NamedTools[];
  readonly runs: CallRuns;
};

/** The facts of a session that a log has in place of a session record. */
export type LoggedSession = {
  readonly client: string;
  readonly estimation: SummaryEstimation;
};

/** Everything that advice needs of one session, whose records come in any order. */
export class SessionUsage {
  readonly repeats: RepeatTable;
  readonly servers = new Map<string, ServerPart>();
  readonly #runRoom: RepeatRoom;
  /** The newest record that names the client. */
  #record: SessionRecord | undefined;
  /** Facts of a session that only a log has. */
  #logged: LoggedSession | undefined;

  constructor(repeatRoom: RepeatRoom, runRoom: RepeatRoom) {
    this.#runRoom = runRoom;
    this.repeats = new RepeatTable(repeatRoom);
  }

  /** Null without a session record. */
  get estimation(): SummaryEstimation | null {
    return this.#record ? estimationOf(this.#record) : (this.#logged?.estimation ?? null);
  }

  get client(): string | null {
    return this.#record?.client_name ?? this.#logged?.client ?? null;
  }

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }

  /** Of several, the first counts. */
  addLogged(logged: LoggedSession): void {
    this.#logged ??= logged;
  }

  addList(server: string, dated: DatedList): void {
    const part = this.partOf(server);
    part.lists = withList(part.lists, dated);
  }

  partOf(server: string): ServerPart {
    const known = this.servers.get(server);
    if (known) return known;
    const runs = new CallRuns(this.#runRoom);
    const rows = new Map<string, number>();
    const part = { hasBegun: false, rows, lists: noLists, named: [], runs };
    this.servers.set(server, part);
    return part;
  }
}

/** The key of the row of a call: its tool, or its method. */
export function rowKey(method: string, tool: string | null): string {
  return method === "tools/call" && tool !== null ? tool : `${methodMark}${method}`;
}

/** The tool of a row; undefined for a method without tools. */
export function toolOfKey(key: string): string | undefined {
  return key.startsWith(methodMark) ? undefined : key;
}

/** The name of a row: a tool, or `(resources/read)`. */
export function nameOfKey(key: string): string {
  return toolOfKey(key) ?? `(${key.slice(methodMark.length)})`;
}
