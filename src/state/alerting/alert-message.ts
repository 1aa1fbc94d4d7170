import { addCallToSpent, formatBreachUse } from "#records/summary.ts";
import type { AlertKind, AlertRecord, BreachRecord, MeterRecord } from "#records/record.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { formatAlert, describeBreachOutcome } from "./sentences.ts";

const alertNameCharactersMax = 256;

const alertTextCharactersMax = 600;

const format = "mcp-meter-alert/1";

// Described by alert-message.schema.json, and read by the `--on-alert` command. Names are safe to print; no member
// contains arguments or answers of calls.
export type AlertMessage = {
  readonly format: string;
  readonly alert: AlertKind | "budget_exceeded";
  readonly message: string;
  readonly ts: string;
  readonly session_id: string;
  readonly server: string;
  readonly client: string | null;
  readonly user: string | null; // null unless the budget is per user and records may name the user
  readonly tool: string | null;
  readonly budget: string | null;
  readonly limit: number | null;
  readonly value: number;
  readonly detail: string;
  readonly count: number;
};

type AlertFacts = Pick<AlertMessage, "alert" | "limit" | "value" | "detail">;

export function makeAlertMessage(
  record: MeterRecord,
  client: string | null,
): AlertMessage | undefined {
  if (record.type === "alert") {
    return hasBreach(record) ? undefined : buildMessage(record, record, client);
  }
  if (record.type === "breach") return buildMessage(record, describeBreach(record), client);
  return undefined;
}

export function makeAlertKey({ alert, budget, tool, user }: AlertMessage): string {
  return JSON.stringify([alert, budget, tool, user]);
}

// If the budget is exceeded, its breach record already gives an alert.
function hasBreach({ alert, limit, value }: AlertRecord): boolean {
  return alert === "budget_warning" && limit !== null && value > limit;
}

function describeBreach(breach: BreachRecord): AlertFacts {
  const { limit } = breach;
  const outcome = describeBreachOutcome(breach);
  const detail = `${formatBreachUse(breach)}; ${outcome}`;
  return { alert: "budget_exceeded", limit, value: addCallToSpent(breach), detail };
}

function buildMessage(
  record: AlertRecord | BreachRecord,
  facts: AlertFacts,
  rawClient: string | null,
): AlertMessage {
  const server = makeSafeName(record.server, alertNameCharactersMax);
  const tool = makeSafeOrNull(record.tool);
  const budget = makeSafeOrNull(record.budget);
  const user = makeSafeOrNull(record.user ?? null);
  const detail = makeSafeName(facts.detail, alertTextCharactersMax);
  return {
    format,
    alert: facts.alert,
    message: formatAlert({ server, tool, budget, user }, detail),
    ts: record.ts,
    session_id: record.session_id,
    server,
    client: makeSafeOrNull(rawClient),
    user,
    tool,
    budget,
    limit: facts.limit,
    value: facts.value,
    detail,
    count: 1,
  };
}

function makeSafeOrNull(rawName: string | null): string | null {
  return rawName === null ? null : makeSafeName(rawName, alertNameCharactersMax);
}
