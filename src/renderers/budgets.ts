import type { CounterStatus } from "#budgets/counter-status.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { documentAsTable, type Text } from "./document.ts";
import type { RenderOptions } from "./options.ts";
import { plural, shownCount } from "./text.ts";

/** The counters of this machine, as a table or as JSON: text that ends with a newline. */
export function renderBudgets(
  counters: readonly CounterStatus[],
  isJson: boolean,
  options: RenderOptions,
): string {
  if (isJson) return `${safeJson({ counters }, 2)}\n`;
  if (counters.length === 0) return "no counter: no budget per minute, hour or day was used yet\n";
  const columns = ["server", "tool", "budget"].map((head) => ({ head }));
  const numbers = ["spent", "held", "left"].map((head) => ({ head, isNumber: true }));
  return documentAsTable(
    {
      title: plural(counters.length, "counter"),
      sections: [
        {
          kind: "grid",
          columns: [...columns, ...numbers, { head: "refills" }],
          rows: counters.map(rowOf),
        },
      ],
    },
    options,
  );
}

function rowOf(counter: CounterStatus): Text[] {
  const { server, tool, limit, unit, per, action, spent, held, left } = counter;
  return [
    { name: server },
    tool === null ? "(all)" : { name: tool },
    `${shownCount(limit)} ${unit}/${per}:${action}`,
    shownCount(spent),
    shownCount(held),
    shownCount(left),
    `${counter.refills_at.slice(0, 16).replace("T", " ")} UTC`,
  ];
}
