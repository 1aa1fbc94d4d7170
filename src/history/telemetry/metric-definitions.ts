// MCP allows 128 characters for a tool's name.
export const telemetryNameCharactersMax = 128;

export type Instrument = {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly bounds?: readonly number[];
};

const durationBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

const tokenBounds = [16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144];

// OpenTelemetry's names for MCP and GenAI may still change, so only `instruments` and `attributeNames` contain them.
export const instruments = {
  tokens: {
    name: "mcp_meter.tokens",
    unit: "{token}",
    description: "Tokens of calls and of the definitions in the context",
    kind: "counter",
  },
  callTokens: {
    name: "mcp_meter.call.tokens",
    unit: "{token}",
    description: "Tokens of one call: arguments and result",
    kind: "histogram",
    bounds: tokenBounds,
  },
  definitions: {
    name: "mcp_meter.definitions.tokens",
    unit: "{token}",
    description: "Tokens of the latest tool list, as the client received it",
    kind: "gauge",
  },
  breaches: {
    name: "mcp_meter.budget.breaches",
    unit: "{breach}",
    description: "Withheld messages, and calls that exceeded a budget or broke a rule",
    kind: "counter",
  },
  budgetUsed: {
    name: "mcp_meter.budget.used_ratio",
    unit: "1",
    description:
      "Share of a budget that is spent, over 1 if exceeded; for a budget per tool, the largest share",
    kind: "gauge",
  },
  countersUp: {
    name: "mcp_meter.counters.up",
    unit: "1",
    description: "1 if the shared budget counters could be read, otherwise 0",
    kind: "gauge",
  },
  duration: {
    name: "mcp.server.operation.duration",
    unit: "s",
    description: "Time from a client request to its answer",
    kind: "histogram",
    bounds: durationBounds,
  },
} as const satisfies { readonly [name: string]: Instrument };

export const attributeNames = {
  tool: "gen_ai.tool.name",
  operation: "gen_ai.operation.name",
  method: "mcp.method.name",
  transport: "network.transport",
  error: "error.type",
  part: "mcp_meter.part",
  budget: "mcp_meter.budget",
  action: "mcp_meter.action",
  server: "mcp_meter.server",
  client: "mcp_meter.client",
  user: "mcp_meter.user",
  estimator: "mcp_meter.estimator",
  requestId: "jsonrpc.request.id",
  protocolVersion: "mcp.protocol.version",
  argumentTokens: "mcp_meter.tokens.arguments",
  resultTokens: "mcp_meter.tokens.result",
} as const;

export const otherName = "(other)";

export type Attributes = Readonly<{ [name: string]: string | number }>;

// For a counter or gauge, `values` has one number. For a histogram, it has the bucket counts, then the sum.
export type MetricPoint = { readonly attributes: Attributes; readonly values: readonly number[] };

export type MetricReading = {
  readonly instrument: Instrument;
  readonly points: readonly MetricPoint[];
};

export type Temporality = "cumulative" | "delta";

type SeriesState = {
  readonly attributes: Attributes;
  values: number[];
  lastRead: readonly number[];
  confirmed: readonly number[]; // the backend has these
};

export class Series {
  readonly instrument: Instrument;
  readonly #states = new Map<string, SeriesState>();

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  add(attributes: Attributes, amount: number): void {
    const { values } = this.#findState(attributes, 1);
    values[0] = (values[0] ?? 0) + amount;
  }

  set(attributes: Attributes, value: number): void {
    this.#findState(attributes, 1).values[0] = value;
  }

  raise(attributes: Attributes, value: number): void {
    const { values } = this.#findState(attributes, 1);
    values[0] = Math.max(values[0] ?? 0, value);
  }

  observe(attributes: Attributes, value: number): void {
    const { bounds = [] } = this.instrument;
    const { values } = this.#findState(attributes, bounds.length + 2);
    const boundIndex = bounds.findIndex((bound) => value <= bound);
    const bucket = boundIndex < 0 ? bounds.length : boundIndex;
    values[bucket] = (values[bucket] ?? 0) + 1;
    const sum = bounds.length + 1;
    values[sum] = (values[sum] ?? 0) + value;
  }

  read(temporality: Temporality): MetricReading {
    const isDelta = temporality === "delta" && this.instrument.kind !== "gauge";
    const points: MetricPoint[] = [];
    for (const state of this.#states.values()) {
      state.lastRead = [...state.values];
      const { attributes, lastRead, confirmed } = state;
      if (!isDelta) points.push({ attributes, values: lastRead });
      else if (hasChanged(state)) {
        const values = lastRead.map((value, at) => value - (confirmed[at] ?? 0));
        points.push({ attributes, values });
      }
    }
    return { instrument: this.instrument, points };
  }

  get hasChanges(): boolean {
    return [...this.#states.values()].some(hasChanged);
  }

  confirm(): void {
    for (const state of this.#states.values()) state.confirmed = state.lastRead;
  }

  #findState(attributes: Attributes, length: number): SeriesState {
    const key = JSON.stringify(attributes);
    const known = this.#states.get(key);
    if (known) return known;
    const state = {
      attributes,
      values: Array.from({ length }, () => 0),
      lastRead: [],
      confirmed: [],
    };
    this.#states.set(key, state);
    return state;
  }
}

function hasChanged({ values, confirmed }: SeriesState): boolean {
  return confirmed.length === 0 || values.some((value, at) => value !== confirmed[at]);
}
