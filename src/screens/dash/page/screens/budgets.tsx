import type { BudgetsView } from "../../view.ts";
import { formatDollarRange } from "#kit/text/numbers.ts";
import { formatTimeLeft } from "#kit/text/durations.ts";
import { EmptyState } from "../parts/commands.tsx";
import { pageSentences } from "../sentences.ts";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { BudgetMeter, Name, Heading, useTick } from "../parts/elements.tsx";
import { makeCountColumn } from "../parts/columns.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";

export const mostUsedFirst = { column: "used", isDescending: true } as const;

export function Budgets({ view }: { view: BudgetsView }) {
  useTick();
  if (!view.head.has_counters) {
    return (
      <>
        <Heading>Budgets</Heading>
        <EmptyState sentence={pageSentences.loadingCounters} />
      </>
    );
  }
  return (
    <>
      <Heading>Budgets</Heading>
      <p class="facts prose">{pageSentences.uncountedBudgets}</p>
      <Table
        id="counters"
        title="Counters"
        rows={view.tables.counters}
        columns={listCounterColumns(Object.values(view.tables.counters))}
        order={mostUsedFirst}
        filterText={(row) =>
          `${row.server ?? ""} ${row.pattern ?? ""} ${row.tool ?? ""} ${row.per} ${row.user ?? ""}`
        }
        emptyContent={
          <EmptyState
            sentence={pageSentences.noCounters}
            advice={pageSentences.noCountersAdvice}
            commands={["mcp-meter wrap -- --budget 200k/day"]}
          />
        }
      />
    </>
  );
}

export function listCounterColumns(
  counters: readonly CounterStatus[],
): readonly TableColumn<CounterStatus>[] {
  const hasUsers = counters.some(({ user }) => user !== null);
  return counterColumns.filter(({ id }) => id !== "user" || hasUsers);
}

function computeUsedShare({ spent, held, limit }: CounterStatus): number {
  return limit === 0 ? 1 : (spent + held) / limit;
}

// Each tool that matches a wildcard has its own counter, so the tool's name says more than the wildcard.
function readToolOrPattern({ tool, pattern }: CounterStatus): string {
  return tool ?? pattern ?? "";
}

function describeCounter(row: CounterStatus): string {
  const user = row.user === null ? "" : `, ${nameUser(row.user)}`;
  return `${row.server ?? "all servers"}, ${readToolOrPattern(row) || "all tools"}${user}`;
}

function nameUser(user: string): string {
  return user === "" ? "no name" : user;
}

function makeAmountColumn(id: "spent" | "held" | "left" | "limit"): TableColumn<CounterStatus> {
  const column = makeCountColumn<CounterStatus>([id], (row) => row[id]);
  return {
    ...column,
    cell: (row) =>
      row.unit === "dollars" ? formatDollars(row[id], id === "limit") : column.cell?.(row),
  };
}

function formatDollars(dollars: number, isExact: boolean): string {
  return isExact ? `$${dollars}` : formatDollarRange({ low: dollars, high: dollars });
}

const counterColumns: readonly TableColumn<CounterStatus>[] = [
  {
    id: "server",
    value: (row) => row.server ?? "",
    cell: (row) =>
      row.server === null ? "all servers" : <Name text={row.server} narrowMax={11} />,
  },
  {
    id: "pattern",
    label: "tools",
    isMain: true,
    value: readToolOrPattern,
    cell: (row) =>
      readToolOrPattern(row) === "" ? "all" : <Name text={readToolOrPattern(row)} narrowMax={11} />,
  },
  { id: "per", isMain: true, value: (row) => row.per },
  {
    id: "user",
    isMain: true,
    value: (row) => row.user ?? "",
    cell: (row) => (row.user === null ? "all" : <Name text={nameUser(row.user)} />),
  },
  {
    id: "used",
    kind: "bar",
    isMain: true,
    value: computeUsedShare,
    cell: (row) => <BudgetMeter share={computeUsedShare(row)} name={describeCounter(row)} />,
  },
  makeAmountColumn("spent"),
  {
    ...makeAmountColumn("held"),
    hint: "Reserved for calls in progress; during a burst, also for the next calls",
  },
  makeAmountColumn("left"),
  { ...makeAmountColumn("limit"), isMain: true },
  { id: "unit", value: (row) => row.unit },
  {
    id: "action",
    hint: "What happens to a call that does not fit",
    value: (row) => row.action,
  },
  {
    id: "refills",
    label: "refills in",
    kind: "number",
    value: (row) => row.refills_at,
    cell: (row) => (
      <time dateTime={row.refills_at} title={row.refills_at}>
        {formatTimeLeft(Date.parse(row.refills_at) - Date.now())}
      </time>
    ),
  },
];
