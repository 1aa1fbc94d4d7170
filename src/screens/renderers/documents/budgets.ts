import type { CounterStatus } from "#meter/budgets/counter.ts";
import { formatLimit, formatSpent } from "#records/summary.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { formatTimeLeft } from "#kit/text/durations.ts";
import type { Cell, Column, Document, Note, Row } from "../document.ts";

function listColumns(hasUsers: boolean): readonly Column[] {
  const labels = ["server", "tool", "budget", ...(hasUsers ? ["user"] : [])];
  return [
    ...labels.map((head) => ({ head })),
    ...["spent", "held", "left"].map((head) => ({ head, isNumber: true })),
    { head: "refills in" },
  ];
}

const unlistedNote: Note = {
  label: "not here",
  text: "budgets per call and per session, which each session counts for itself",
};

export const budgetAdviceNote: Note = {
  label: "set one",
  text: "",
  commands: ["mcp-meter wrap NAME -- --budget 500k/day"],
};

export function buildBudgetsDocument(counters: readonly CounterStatus[], nowMs: number): Document {
  if (counters.length === 0) {
    const title =
      "No budget counters yet; budgets per minute, hour, day, week or month create them";
    return { title, sections: [] };
  }
  const hasUsers = counters.some(({ user }) => user !== null);
  const rows = counters.map((counter) => formatCounterRow(counter, hasUsers, nowMs));
  return {
    title: pluralize(counters.length, "budget counter"),
    sections: [
      { kind: "grid", columns: listColumns(hasUsers), rows },
      { kind: "notes", notes: [unlistedNote] },
    ],
  };
}

function formatCounterRow(counter: CounterStatus, hasUsers: boolean, nowMs: number): Row {
  const { server, tool, unit, per, action, owner, user } = counter;
  const perUser = owner === "user" ? "/user" : "";
  const amount = `${formatLimit(counter)}${unit === "dollars" ? "" : ` ${unit}`}`;
  return [
    server === null ? "(all)" : { name: server },
    tool === null ? "(all)" : { name: tool },
    `${amount}/${per}${perUser}:${action}`,
    ...(hasUsers ? [formatUser(user)] : []),
    ...[counter.spent, counter.held, counter.left].map((value) => formatSpent(value, unit)),
    formatTimeLeft(Date.parse(counter.refills_at) - nowMs),
  ];
}

function formatUser(user: string | null): Cell {
  if (user === null) return "";
  return user === "" ? "(no name)" : { name: user };
}
