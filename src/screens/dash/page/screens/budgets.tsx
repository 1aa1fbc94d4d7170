import type { CounterStatus } from "#meter/budgets/counter-status.ts";
import type { BudgetsView } from "../../view.ts";
import { durationText } from "../format.ts";
import { BudgetMeter } from "../parts/budget-meter.tsx";
import { countColumn } from "../parts/columns.tsx";
import { Empty } from "../parts/copy.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { Name } from "../parts/text.tsx";
import { pageSentences } from "../sentences.ts";
import { Heading } from "./heading.tsx";

export function Budgets({ view }: { view: BudgetsView }) {
  return (
    <>
      <Heading>Budgets</Heading>
      <Table
        id="counters"
        title="Counters"
        rows={view.tables.counters}
        columns={counterColumns}
        order={{ column: "used", isDescending: true }}
        text={(row) => `${row.server ?? ""} ${row.pattern ?? ""} ${row.tool ?? ""} ${row.per}`}
        isEmpty={
          <Empty
            sentence={pageSentences.noCounters}
            advice={pageSentences.noCountersAdvice}
            lines={["mcp-meter --budget 200k/day -- npx -y @modelcontextprotocol/server-memory"]}
          />
        }
      />
    </>
  );
}

function usedShare({ spent, held, limit }: CounterStatus): number {
  return limit === 0 ? 1 : (spent + held) / limit;
}

function nameOf({ server, pattern }: CounterStatus): string {
  return `${server ?? "all servers"}, ${pattern ?? "all tools"}`;
}

const counterColumns: readonly TableColumn<CounterStatus>[] = [
  {
    id: "server",
    label: "server",
    value: (row) => row.server ?? "",
    cell: (row) => (row.server === null ? "all servers" : <Name text={row.server} />),
  },
  {
    id: "pattern",
    label: "tools",
    value: (row) => row.pattern ?? "",
    cell: (row) => (row.pattern === null ? "all" : <Name text={row.pattern} />),
  },
  { id: "per", label: "per", value: (row) => row.per },
  {
    id: "used",
    label: "used",
    kind: "bar",
    value: usedShare,
    cell: (row) => (
      <BudgetMeter spent={row.spent} held={row.held} limit={row.limit} name={nameOf(row)} />
    ),
  },
  countColumn(["spent", "spent"], (row) => row.spent),
  countColumn(["held", "held"], (row) => row.held),
  countColumn(["left", "left"], (row) => row.left),
  countColumn(["limit", "limit"], (row) => row.limit),
  { id: "unit", label: "unit", value: (row) => row.unit },
  { id: "action", label: "action", value: (row) => row.action },
  {
    id: "refills",
    label: "full again in",
    kind: "number",
    value: (row) => row.refills_at,
    cell: (row) => (
      <time dateTime={row.refills_at} title={row.refills_at}>
        {durationText(Math.max(0, Date.parse(row.refills_at) - Date.now()))}
      </time>
    ),
  },
];
