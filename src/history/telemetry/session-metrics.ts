import { setBounded } from "#kit/limits.ts";
import { isProvisionalEnd } from "#records/ledger.ts";
import type {
  BreachRecord,
  CallRecord,
  DefinitionsRecord,
  EndRecord,
  MeterRecord,
  ExchangeMembers,
} from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import {
  attributeNames,
  instruments,
  otherName,
  type Attributes,
  type MetricReading,
  Series,
  type Temporality,
  telemetryNameCharactersMax,
} from "./metric-definitions.ts";
import { SessionContext } from "#records/definition-summary.ts";

export const telemetrySessionsMax = 10_000;

type SessionGrowth = { readonly context: SessionContext; maxTokens: number };

// If the definitions in a context shrink, nothing is subtracted, because telemetry counters never fall.
export class ContextGrowth {
  readonly #sessions = new Map<string, SessionGrowth>();

  /** Returns how far the definitions in the session's context now exceed their earlier maximum, in tokens. */
  add(record: MeterRecord): number {
    const session = this.#findSession(record.session_id);
    session.context.add(record);
    const growth = Math.max(0, session.context.definitionTokens - session.maxTokens);
    session.maxTokens += growth;
    if (record.type === "end" && !isProvisionalEnd(record))
      this.#sessions.delete(record.session_id);
    return growth;
  }

  #findSession(id: string): SessionGrowth {
    const known = this.#sessions.get(id);
    if (known) return known;
    const growth = { context: new SessionContext(), maxTokens: 0 };
    setBounded(this.#sessions, id, growth, telemetrySessionsMax);
    return growth;
  }
}

// Tools beyond this maximum are labelled `(other)`, because a metrics backend stores every label for weeks.
export const telemetryToolsMax = 200;

export const telemetryListedToolsMax = 2_000;

// Models invent names, so after a list is known, only listed names get new labels. Labels are limited as well,
// because a hostile server may list any number of names.
export class ToolNames {
  readonly #labels = new Map<string, string>();
  #listed: ReadonlySet<string> | undefined;

  // Several versions of a server may run at once. So names from earlier lists stay while there is room.
  addListed(names: readonly string[]): void {
    const combined = new Set([...(this.#listed ?? []), ...names]);
    this.#listed = combined.size <= telemetryListedToolsMax ? combined : new Set(names);
  }

  findLabel(tool: string): string {
    const known = this.#labels.get(tool);
    if (known !== undefined) return known;
    const isOther = this.#labels.size >= telemetryToolsMax || this.#listed?.has(tool) === false;
    if (isOther) return otherName;
    const label = makeSafeName(tool, telemetryNameCharactersMax);
    this.#labels.set(tool, label);
    return label;
  }
}

const telemetryBudgetsMax = 100;

export class SessionMetrics {
  readonly #series = {
    tokens: new Series(instruments.tokens),
    callTokens: new Series(instruments.callTokens),
    definitions: new Series(instruments.definitions),
    breaches: new Series(instruments.breaches),
    budgetUsed: new Series(instruments.budgetUsed),
    duration: new Series(instruments.duration),
  };
  readonly #tools = new ToolNames();
  readonly #contexts = new ContextGrowth();
  readonly #budgets = new Set<string>();
  #newestListTs = "";
  #transport = "pipe";

  take(record: MeterRecord): void {
    this.#growContext(record);
    switch (record.type) {
      case "definitions":
        return this.#takeDefinitions(record);
      case "call":
        return this.#takeCall(record);
      case "protocol":
        return this.#observeDuration(record, null);
      case "breach":
        return this.#takeBreach(record);
      case "end":
        return this.#takeEnd(record);
      case "session":
        // OpenTelemetry's convention for HTTP is `tcp`.
        this.#transport = record.transport === "http" ? "tcp" : "pipe";
        return;
      case "alert":
      case "fault":
        return;
    }
  }

  readAll(temporality: Temporality): readonly MetricReading[] {
    return Object.values(this.#series)
      .map((series) => series.read(temporality))
      .filter(({ points }) => points.length > 0);
  }

  get hasChanges(): boolean {
    return Object.values(this.#series).some((series) => series.hasChanges);
  }

  confirmAll(): void {
    for (const series of Object.values(this.#series)) series.confirm();
  }

  makeCallAttributes(record: Pick<CallRecord, "method" | "tool" | "outcome">): Attributes {
    const isToolCall = record.method === "tools/call";
    return {
      [attributeNames.method]: labelMethod(record.method),
      ...(isToolCall
        ? { ...this.#labelTool(record.tool), [attributeNames.operation]: "execute_tool" }
        : {}),
      [attributeNames.transport]: this.#transport,
      ...(record.outcome === "ok" ? {} : { [attributeNames.error]: record.outcome }),
    };
  }

  #takeDefinitions({
    ts,
    tools,
    tools_total: count,
    total_tokens: tokens,
  }: DefinitionsRecord): void {
    if (count === 0 || ts < this.#newestListTs) return;
    this.#newestListTs = ts;
    this.#tools.addListed(tools.map(({ name }) => name));
    this.#series.definitions.set({}, tokens);
  }

  #takeBreach({ budget, tool, action }: BreachRecord): void {
    const attributes = {
      [attributeNames.budget]: this.#labelBudget(budget),
      ...this.#labelTool(tool),
      [attributeNames.action]: action,
    };
    this.#series.breaches.add(attributes, 1);
  }

  #growContext(record: MeterRecord): void {
    const growth = this.#contexts.add(record);
    if (growth > 0) this.#series.tokens.add({ [attributeNames.part]: "definitions" }, growth);
  }

  #takeCall(record: CallRecord): void {
    const { method, tool } = record;
    const shared = {
      [attributeNames.method]: labelMethod(method),
      ...(method === "tools/call" ? this.#labelTool(tool) : {}),
    };
    const { tokens, callTokens } = this.#series;
    tokens.add({ ...shared, [attributeNames.part]: "arguments" }, record.input_tokens);
    tokens.add({ ...shared, [attributeNames.part]: "result" }, record.output_tokens);
    callTokens.observe(shared, record.total_tokens);
    this.#observeDuration(record, tool);
  }

  #observeDuration(
    { method, outcome, duration_ms: ms }: ExchangeMembers,
    tool: string | null,
  ): void {
    if (methodsFromServer.has(method)) return;
    this.#series.duration.observe(this.makeCallAttributes({ method, tool, outcome }), ms / 1000);
  }

  // A budget may have a counter per tool: the metric shows the fullest counter.
  #takeEnd({ budgets }: EndRecord): void {
    const shares = new Map<string, number>();
    for (const { budget, spent, limit } of budgets) {
      const label = this.#labelBudget(budget);
      const share = limit > 0 ? spent / limit : Math.min(spent, 1);
      shares.set(label, Math.max(shares.get(label) ?? 0, share));
    }
    for (const [label, share] of shares) {
      this.#series.budgetUsed.set({ [attributeNames.budget]: label }, share);
    }
  }

  #labelTool(tool: string | null): Attributes {
    return tool === null ? {} : { [attributeNames.tool]: this.#tools.findLabel(tool) };
  }

  #labelBudget(budget: string): string {
    const label = makeSafeName(budget, telemetryNameCharactersMax);
    if (!this.#budgets.has(label) && this.#budgets.size >= telemetryBudgetsMax) return otherName;
    this.#budgets.add(label);
    return label;
  }
}

const methodsFromClient: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/list",
  "tasks/result",
  "tasks/update",
  "tools/call",
  "tools/list",
]);

// Requests that a server sends to its client, so they are not operations of the server.
const methodsFromServer: ReadonlySet<string> = new Set([
  "elicitation/create",
  "roots/list",
  "sampling/createMessage",
]);

function labelMethod(method: string): string {
  return methodsFromClient.has(method) || methodsFromServer.has(method) ? method : otherName;
}
