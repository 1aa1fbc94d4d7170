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

const methodMark = "\n";

export type ServerPart = {
  hasBegun: boolean;
  readonly rows: Map<string, number>;
  lists: KnownLists;
  readonly contents: Set<DatedList["list"]>;
  readonly named: NamedTools[];
  readonly runs: CallRuns;
};

/** A log has no session record. */
export type LoggedSession = {
  readonly client: string;
  readonly estimation: SummaryEstimation;
};

export class SessionUsage {
  readonly repeats: RepeatTable;
  readonly servers = new Map<string, ServerPart>();
  readonly #runRoom: RepeatRoom;
  #record: SessionRecord | undefined;
  #logged: LoggedSession | undefined;

  constructor(repeatRoom: RepeatRoom, runRoom: RepeatRoom) {
    this.#runRoom = runRoom;
    this.repeats = new RepeatTable(repeatRoom);
  }

  get estimation(): SummaryEstimation | null {
    return this.#record ? estimationOf(this.#record) : (this.#logged?.estimation ?? null);
  }

  get client(): string | null {
    return this.#record?.client_name ?? this.#logged?.client ?? null;
  }

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }

  addLogged(logged: LoggedSession): void {
    this.#logged ??= logged;
  }

  addList(server: string, dated: DatedList): void {
    const part = this.partOf(server);
    part.lists = withList(part.lists, dated);
    if (dated.list.is_complete) part.contents.add(dated.list);
  }

  partOf(server: string): ServerPart {
    const known = this.servers.get(server);
    if (known) return known;
    const runs = new CallRuns(this.#runRoom);
    const rows = new Map<string, number>();
    const part = {
      hasBegun: false,
      rows,
      lists: noLists,
      contents: new Set<DatedList["list"]>(),
      named: [],
      runs,
    };
    this.servers.set(server, part);
    return part;
  }
}

export function rowKey(method: string, tool: string | null): string {
  return method === "tools/call" && tool !== null ? tool : `${methodMark}${method}`;
}

export function toolOfKey(key: string): string | undefined {
  return key.startsWith(methodMark) ? undefined : key;
}

export function nameOfKey(key: string): string {
  return toolOfKey(key) ?? `(${key.slice(methodMark.length)})`;
}
