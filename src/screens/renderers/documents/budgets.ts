import type { CounterStatus } from "#meter/budgets/counter.ts";
import { formatCount, formatTimeLeft, pluralize } from "#kit/text/numbers.ts";
import type { Column, Document, Note, Row } from "../document.ts";

const columns: readonly Column[] = [
  ...["server", "tool", "budget"].map((head) => ({ head })),
  ...["spent", "held", "left"].map((head) => ({ head, isNumber: true })),
  { head: "refills in" },
];

export const setBudgetNote: Note = {
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
  return {
    title: pluralize(counters.length, "budget counter"),
    sections: [
      { kind: "grid", columns, rows: counters.map((counter) => formatCounterRow(counter, nowMs)) },
    ],
  };
}

function formatCounterRow(counter: CounterStatus, nowMs: number): Row {
  const { server, tool, limit, unit, per, action, spent, held, left } = counter;
  return [
    server === null ? "(all)" : { name: server },
    tool === null ? "(all)" : { name: tool },
    `${formatCount(limit)} ${unit}/${per}:${action}`,
    formatCount(spent),
    formatCount(held),
    formatCount(left),
    formatTimeLeft(Date.parse(counter.refills_at) - nowMs),
  ];
}
