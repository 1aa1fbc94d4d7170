import { createHash } from "node:crypto";
import type { CallRecord, MeterRecord, Outcome, SessionRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, endRecord, sessionRecord } from "./made-records.ts";

const sessionCount = 200;
const madeDays = 30;

const firstMs = Date.UTC(2026, 9, 14, 22);
const dayMs = 86_400_000;

type Client = Pick<SessionRecord, "client_name" | "model" | "estimator" | "estimation_encoding"> & {
  readonly models?: readonly string[];
  readonly isDeferred: boolean;
};

const o200k = { estimator: "o200k", estimation_encoding: "o200k_base" };
const claude = { estimator: "claude", estimation_encoding: "o200k_base*1.55, JSON *1.8" };

const clients: readonly Client[] = [
  { client_name: "claude-code", model: "claude-opus-5", ...claude, isDeferred: true },
  {
    client_name: "codex-mcp-client",
    model: null,
    ...o200k,
    models: ["gpt-6", "gpt-6-mini"],
    isDeferred: false,
  },
  { client_name: "opencode", model: "gpt-6", ...o200k, isDeferred: false },
  { client_name: "claude-ai", model: null, ...claude, isDeferred: false },
  { client_name: null, model: null, ...o200k, isDeferred: false },
];

type Server = { readonly name: string; readonly tools: readonly (readonly [string, number])[] };

const servers: readonly Server[] = [
  {
    name: "filesystem",
    tools: [
      ["read_file", 120],
      ["write_file", 140],
      ["list_directory", 90],
    ],
  },
  {
    name: "github",
    tools: [
      ["search_code", 310],
      ["get_issue", 180],
      ["create_issue", 420],
    ],
  },
  {
    name: "memory",
    tools: [
      ["read_graph", 60],
      ["add_observations", 210],
    ],
  },
  {
    name: "postgres",
    tools: [
      ["query", 95],
      ["explain", 105],
    ],
  },
  {
    name: "ブラウザ",
    tools: [
      ["navigate", 70],
      ["snapshot", 130],
    ],
  },
  {
    name: "internal-documentation-search-service-production",
    tools: [
      ["search_the_whole_company_handbook", 650],
      ["search_the_whole_company_archive", 655],
    ],
  },
];

export class MadeNumbers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(range: number): number {
    // Numerical Recipes' linear congruence, whose high bits are good enough.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * range);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

export function madeUsage(): MeterRecord[][] {
  const numbers = new MadeNumbers(16);
  return Array.from({ length: sessionCount }, (_, at) => madeSession(at, numbers));
}

function madeSession(at: number, numbers: MadeNumbers): MeterRecord[] {
  const client = numbers.pick(clients);
  const server = numbers.pick(servers);
  const beganMs = firstMs + Math.floor((at * madeDays * dayMs) / sessionCount);
  const session_id = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  let seq = 0;
  let ms = beganMs;
  const common = () => ({
    session_id,
    server: server.name,
    seq: seq++,
    ts: new Date(ms).toISOString(),
  });
  const { models, isDeferred, ...named } = client;
  const records: MeterRecord[] = [sessionRecord({ ...common(), ...named })];
  if (at % 20 !== 0) records.push(madeDefinitions(server, isDeferred, common()));
  for (let call = numbers.below(9); call > 0; call -= 1) {
    ms += 1_000 + numbers.below(3_600_000);
    const own = models === undefined ? {} : { model: numbers.pick(models) };
    records.push(callRecord({ ...common(), ...own, ...madeCall(server, numbers) }));
    if (call % 3 === 0) records.push(endRecord({ ...common(), exit_code: null }));
  }
  return [...records, endRecord(common())];
}

function madeDefinitions(
  { tools }: Server,
  isDeferred: boolean,
  common: Pick<MeterRecord, "session_id" | "server" | "seq" | "ts">,
): MeterRecord {
  const definitions = tools.map(([name, tokens]) => ({
    name,
    tokens,
    name_tokens: 4,
    description_tokens: tokens - 4,
    schema_tokens: 0,
    wire_only_tokens: 0,
    percent_total: 0,
    sha256: "0".repeat(64),
  }));
  const total_tokens = tools.reduce((sum, [, tokens]) => sum + tokens, 0);
  return definitionsRecord({
    ...common,
    tools: definitions,
    total_tokens,
    resident_tokens: isDeferred ? tools.length * 4 : total_tokens,
    is_deferred: isDeferred,
  });
}

const outcomes: readonly Outcome[] = [
  ...Array.from({ length: 10 }, () => "ok" as const),
  "tool_error",
  "rpc_error",
  "refused",
  "cancelled",
  "abandoned",
];

function madeCall({ tools }: Server, numbers: MadeNumbers): Partial<CallRecord> {
  const outcome = numbers.pick(outcomes);
  const isCancelled = outcome === "cancelled";
  const input_tokens = isCancelled ? 0 : 10 + numbers.below(60);
  const output_tokens = isCancelled || outcome === "abandoned" ? 0 : 20 + numbers.below(2_500);
  const isResource = numbers.below(12) === 0;
  return {
    tool: isResource ? null : numbers.pick(tools)[0],
    method: isResource ? "resources/read" : "tools/call",
    outcome,
    input_tokens,
    output_tokens,
    duplicate_tokens: numbers.below(5) === 0 ? Math.floor(output_tokens / 2) : 0,
    arguments_sha256: createHash("sha256")
      .update(String(numbers.below(5)))
      .digest("hex"),
  };
}
