import type { BreachRecord } from "#records/record.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { describeReason } from "#kit/sentences.ts";

type AlertSubject = {
  readonly server: string;
  readonly tool: string | null;
  readonly budget: string | null;
  readonly user: string | null;
};

export function formatAlert({ server, tool, budget, user }: AlertSubject, detail: string): string {
  const whose = user === null ? "" : ` of ${user}`;
  const parts = [server, tool, budget === null ? null : `budget ${budget}${whose}`];
  return `mcp-meter: ${parts.filter((text) => text !== null).join(", ")}: ${detail}`;
}

type BreachOutcome = Pick<BreachRecord, "action" | "is_enforced" | "did_run" | "method">;

export function describeBreachOutcome(breach: BreachOutcome): string {
  const { action, is_enforced: isEnforced, did_run: didRun, method } = breach;
  if (method !== undefined) return `the message ${isEnforced ? "was withheld" : "passed"}`;
  if (!isEnforced) return "the call passed";
  if (didRun) return `the answer was withheld${action === "error" ? "" : " or shortened"}`;
  return `the call was refused${action === "throttle" ? " or delayed" : ""}`;
}

export const alertFailures = {
  start: (reason: string) => `no process could be started: ${describeReason(reason)}`,
  exit: (code: number) => `exit code ${code}${exitMeanings[code] ?? ""}`,
  signal: (signal: string) => `killed by ${signal}`,
  timedOut: (seconds: number) =>
    `killed, because it was still running after ${pluralize(seconds, "second")}`,
  timedOutOrAtEnd: () => "killed, because it took too long",
  atEnd: () => "killed, because it was still running at the end of the session",
} as const;

const exitMeanings: { readonly [code: number]: string } = {
  126: ": a program in the command cannot be executed",
  127: ": a program in the command was not found",
};

export const alertSentences = {
  alertCommandFailed: (reason: string) =>
    `The --on-alert command failed (${reason}); traffic continues, and alerts are in the records`,
  alertsLeftOut: (alerts: number) =>
    `Did not pass ${pluralize(alerts, "alert")} to the --on-alert command; ${alerts === 1 ? "it is" : "they are"} in the records`,
} as const;
