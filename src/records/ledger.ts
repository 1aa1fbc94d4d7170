import { reportServersMax, repeatsRememberedMax, toolRowsMax } from "#limits.ts";
import type {
  AlertRecord,
  CallRecord,
  DefinitionsRecord,
  EndRecord,
  MeterRecord,
  SessionRecord,
} from "./record.ts";
import type { AlertSummary, RepeatSummary, Summary, ToolRow } from "./summary.ts";
import { sumDefinitions, unusedTools } from "./definition-summary.ts";
import { ToolTally } from "./tool-tally.ts";

const otherTools = "(other)";

type Row = {
  readonly server: string;
  readonly tool: string;
  readonly method: string;
  tally: ToolTally;
};

/**
 * The fold over records: add them in any number of sessions, ask for the summary at any time. What a
 * session prints at exit and what a report prints of its file come from here and nowhere else.
 */
export class Ledger {
  readonly #sessions: SessionRecord[] = [];
  readonly #servers = new Set<string>();
  readonly #rows = new Map<string, Row>();
  readonly #total = new ToolTally();
  readonly #definitions = new Map<string, DefinitionsRecord>();
  readonly #called = new Set<string>();
  readonly #alerts = new Map<string, AlertSummary>();
  readonly #repeats = new Map<string, { tool: string; calls: number; tokens: number }>();
  readonly #ends: EndRecord[] = [];
  readonly #protocol = { messages: 0, bytes: 0, tokens: 0 };
  #sessionCount = 0;
  #truncated = 0;
  #breaches = 0;
  #enforced = 0;
  #faults = 0;

  add(record: MeterRecord): void {
    if (this.#servers.size < reportServersMax) this.#servers.add(record.server);
    switch (record.type) {
      case "session":
        this.#sessionCount += 1;
        if (this.#sessions.length < reportServersMax) this.#sessions.push(record);
        return;
      case "definitions":
        if (this.#definitions.size < reportServersMax || this.#definitions.has(record.server)) {
          this.#definitions.set(record.server, record);
        }
        return;
      case "call":
        this.#addCall(record);
        return;
      case "protocol":
        this.#protocol.messages += 1;
        this.#protocol.bytes += record.input_bytes + record.output_bytes;
        this.#protocol.tokens += record.total_tokens;
        return;
      case "breach":
        this.#breaches += 1;
        if (record.is_enforced) this.#enforced += 1;
        return;
      case "alert":
        this.#addAlert(record);
        return;
      case "fault":
        this.#faults += 1;
        return;
      case "end":
        if (this.#ends.length < reportServersMax) this.#ends.push(record);
        return;
    }
  }

  summarize(): Summary {
    const window = this.#sessions.at(-1)?.window ?? 200_000;
    const definitions = [...this.#definitions.values()];
    const ends = (pick: (end: EndRecord) => number): number =>
      this.#ends.reduce((sum, end) => sum + pick(end), 0);
    return {
      sessions: this.#sessionCount,
      servers: [...this.#servers],
      clients: distinct(this.#sessions.map((session) => session.client_name)),
      model: this.#sessions.at(-1)?.model ?? null,
      estimation: estimationOf(this.#sessions),
      window,
      tools: this.#toolRows(),
      total: this.#total.row(),
      definitions: sumDefinitions(definitions, window),
      unused: unusedTools(definitions, this.#called),
      budgets: this.#ends.flatMap((end) => end.budgets),
      breaches: this.#breaches,
      enforced_breaches: this.#enforced,
      alerts: [...this.#alerts.values()],
      repeats: this.#repeated(),
      duplicate_tokens: this.#total.duplicateTokens,
      protocol: { ...this.#protocol },
      truncated_calls: this.#truncated,
      late_answers: ends((end) => end.late_answers),
      unknown_answers: ends((end) => end.unknown_answers),
      opaque_server_lines: ends((end) => end.opaque_server_lines),
      faults: this.#faults,
      dropped_records: ends((end) => end.dropped_records),
      observer_faults: ends((end) => end.observer_faults),
      duration_ms: ends((end) => end.duration_ms),
    };
  }

  #addCall(call: CallRecord): void {
    this.#total.add(call);
    this.#row(call).tally.add(call);
    if (call.truncated) this.#truncated += 1;
    if (call.tool === null) return;
    const name = `${call.server}\n${call.tool}`;
    if (call.method === "tools/call" && this.#called.size < toolRowsMax * 10)
      this.#called.add(name);
    this.#addRepeat(name, call.tool, call);
  }

  #row(call: CallRecord): Row {
    const { server, method } = call;
    const tool = call.tool ?? `(${method})`;
    const key = `${server}\n${method}\n${tool}`;
    const found = this.#rows.get(key);
    if (found) return found;
    const full = this.#rows.size >= toolRowsMax;
    const rowKey = full ? otherTools : key;
    const known = this.#rows.get(rowKey);
    if (known) return known;
    const row = { server, method, tool: full ? otherTools : tool, tally: new ToolTally() };
    this.#rows.set(rowKey, row);
    return row;
  }

  #addRepeat(name: string, tool: string, call: CallRecord): void {
    // Another session's model never saw the earlier answer, and a refused call brought none.
    if (call.arguments_sha256 === null || call.outcome === "refused") return;
    const key = `${call.session_id}\n${name}\n${call.arguments_sha256}`;
    const seen = this.#repeats.get(key);
    if (seen) {
      seen.calls += 1;
      seen.tokens += call.total_tokens;
    } else if (this.#repeats.size < repeatsRememberedMax) {
      this.#repeats.set(key, { tool, calls: 0, tokens: 0 });
    }
  }

  #addAlert({ alert, tool, detail }: AlertRecord): void {
    const key = `${alert}\n${tool ?? ""}`;
    const count = (this.#alerts.get(key)?.count ?? 0) + 1;
    if (count > 1 || this.#alerts.size < toolRowsMax) {
      this.#alerts.set(key, { alert, tool, detail, count });
    }
  }

  #repeated(): RepeatSummary {
    const repeats = [...this.#repeats.values()].filter((repeat) => repeat.calls > 0);
    const most = repeats.toSorted((one, other) => other.calls - one.calls)[0];
    return {
      calls: repeats.reduce((sum, repeat) => sum + repeat.calls, 0),
      tokens: repeats.reduce((sum, repeat) => sum + repeat.tokens, 0),
      tool: most?.tool ?? null,
    };
  }

  #toolRows(): ToolRow[] {
    const all = this.#total.totalTokens;
    return [...this.#rows.values()]
      .map(({ server, tool, method, tally }) => ({
        server,
        tool,
        method,
        ...tally.row(),
        share: all === 0 ? 0 : tally.totalTokens / all,
        duplicate_tokens: tally.duplicateTokens,
        overhead: tally.overhead,
      }))
      .toSorted((one, other) => other.total_tokens - one.total_tokens || other.calls - one.calls);
  }
}

function estimationOf(sessions: readonly SessionRecord[]): Summary["estimation"] {
  const [first] = sessions;
  if (!first) return null;
  const same = sessions.every((session) => session.estimator === first.estimator);
  return {
    estimator: same ? first.estimator : "mixed",
    method: same ? first.estimation_method : "mixed",
    encoding: same ? first.estimation_encoding : "mixed",
    error: same ? first.estimation_error : "sessions were counted in different ways",
    confidence: same ? first.confidence : "low",
    is_estimated: sessions.some((session) => session.is_estimated),
  };
}

function distinct(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter((name) => name !== null))];
}
