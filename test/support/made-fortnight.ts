import type { MeterRecord, SessionRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, endRecord, sessionRecord } from "./made-records.ts";

export const fortnightNowMs = Date.parse("2026-11-22T18:00:00.000Z");

const dayMs = 86_400_000;

type Client = Pick<SessionRecord, "client_name" | "model" | "estimator" | "estimation_encoding">;

const o200k = { estimator: "o200k", estimation_encoding: "o200k_base" };
const claude = { estimator: "claude", estimation_encoding: "o200k_base*1.55, JSON *1.8" };
const gemini = { estimator: "gemini", estimation_encoding: "o200k_base*1.1" };

/** Four clients with three models; one client has two names, and two sessions name no model. */
const clients: readonly Client[] = [
  { client_name: "claude-code", model: "claude-opus-5", ...claude },
  { client_name: "codex-mcp-client", model: "gpt-5.5", ...o200k },
  { client_name: "codex", model: null, ...o200k },
  { client_name: "gemini-cli-mcp-client", model: "gemini-2.5-pro", ...gemini },
  { client_name: "opencode", model: null, ...o200k },
];

const servers = [
  { name: "github", tool: "search_code", definitionTokens: 4_200, answerTokens: 6_000 },
  { name: "filesystem", tool: "read_file", definitionTokens: 900, answerTokens: 1_500 },
  { name: "weather", tool: "forecast", definitionTokens: 1_300, answerTokens: 0 },
] as const;

/** Calls of each day, the newest last: the second week has twice as many, and its Thursday the most. */
const callsByDay = [1, 1, 2, 1, 2, 1, 1, 2, 2, 3, 9, 3, 2, 2] as const;

/** A fortnight until `fortnightNowMs`: each client starts each server once a day. */
export function madeFortnight(among: readonly Client[] = clients): MeterRecord[][] {
  return callsByDay.flatMap((calls, day) =>
    among.flatMap((client, at) =>
      servers.map((server, which) => {
        const beganMs = fortnightNowMs - (callsByDay.length - 1 - day) * dayMs - 3_600_000;
        const id = `00000000-0000-4000-8000-${String(day * 1_000 + at * 10 + which).padStart(12, "0")}`;
        return madeSession(id, beganMs, { client, server, calls });
      }),
    ),
  );
}

export const oneClient = clients.slice(0, 1);

type Session = {
  readonly client: Client;
  readonly server: (typeof servers)[number];
  readonly calls: number;
};

function madeSession(
  session_id: string,
  beganMs: number,
  { client, server: { name, tool, definitionTokens, answerTokens }, calls }: Session,
): MeterRecord[] {
  let seq = 0;
  const common = () => ({
    session_id,
    server: name,
    seq,
    ts: new Date(beganMs + 60_000 * seq++).toISOString(),
  });
  const definition = {
    name: tool,
    tokens: definitionTokens,
    name_tokens: 4,
    description_tokens: definitionTokens - 4,
    schema_tokens: 0,
    wire_only_tokens: 0,
    percent_total: 100,
    sha256: "0".repeat(64),
  };
  const counted = Array.from({ length: answerTokens === 0 ? 0 : calls }, () =>
    callRecord({ ...common(), tool, input_tokens: 40, output_tokens: answerTokens }),
  );
  return [
    sessionRecord({ ...common(), ...client }),
    definitionsRecord({
      ...common(),
      tools: [definition],
      tools_total: 1,
      total_tokens: definitionTokens,
      resident_tokens: definitionTokens,
      is_complete: true,
    }),
    ...counted,
    endRecord(common()),
  ];
}
