import type { PurseStatus } from "#meter/purse-status.ts";
import { safeJson } from "#wire/unsafe-text.ts";
import { documentAsTable, type Text } from "./document.ts";
import type { RenderOptions } from "./index.ts";
import { plural, shownCount } from "./text.ts";

/** The purses of this machine, as a table or as JSON: text that ends with a newline. */
export function renderBudgets(
  purses: readonly PurseStatus[],
  isJson: boolean,
  options: RenderOptions,
): string {
  if (isJson) return `${safeJson({ purses }, 2)}\n`;
  if (purses.length === 0) return "no purse: no budget per minute, hour or day was used yet\n";
  const columns = ["server", "tool", "budget"].map((head) => ({ head }));
  const numbers = ["spent", "held", "left"].map((head) => ({ head, isNumber: true }));
  return documentAsTable(
    {
      title: plural(purses.length, "purse"),
      sections: [
        {
          kind: "grid",
          columns: [...columns, ...numbers, { head: "refills" }],
          rows: purses.map(rowOf),
        },
      ],
    },
    options,
  );
}

function rowOf(purse: PurseStatus): Text[] {
  const { server, tool, limit, unit, per, action, spent, held, left } = purse;
  return [
    { name: server },
    tool === null ? "(all)" : { name: tool },
    `${shownCount(limit)} ${unit}/${per}:${action}`,
    shownCount(spent),
    shownCount(held),
    shownCount(left),
    `${purse.refills_at.slice(0, 16).replace("T", " ")} UTC`,
  ];
}
