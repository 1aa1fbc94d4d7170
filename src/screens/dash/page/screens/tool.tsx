import { formatSmallShare, formatElapsed, pluralize } from "#kit/text/numbers.ts";
import { hasEstimates, type ToolView, type ToolViewRow } from "../../view.ts";
import { formatAddress, switchScreen, openScreen } from "../address.ts";
import { formatWorstCaseNote, describeWorstCase } from "../format.ts";
import {
  Count,
  Figures,
  Heading,
  listGateFigures,
  makeCostFigure,
  Name,
  NameLink,
  Tokens,
  useTick,
} from "../parts/elements.tsx";
import { listCallColumns } from "../parts/columns.tsx";
import { EmptyState } from "../parts/commands.tsx";
import { Histogram } from "../parts/histogram.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";
import { listCounterColumns, mostUsedFirst } from "./budgets.tsx";

export function Tool({ view }: { view: ToolView }) {
  const { head, tables } = view;
  const isEstimated = hasEstimates(head);
  return (
    <>
      <p class="trail">
        <a href={formatAddress(switchScreen(choice.value, "overview"))}>Overview</a> /{" "}
        <NameLink server={head.server} />
      </p>
      <Heading>
        <Name text={head.tool} charactersMax={80} />
      </Heading>
      {head.row ? (
        <>
          <ToolFigures row={head.row} view={view} />
          <Counters view={view} />
          <Histogram rows={tables.histogram} refusedCalls={head.row.refused} />
          <Table
            id="calls"
            title="Last calls"
            rows={tables.calls}
            columns={listLastCallColumns(isEstimated)}
            order={{ column: "time", isDescending: true }}
          />
        </>
      ) : (
        <>
          <Counters view={view} />
          <EmptyState
            sentence={pageSentences.noTool}
            advice={pageSentences.noToolAdvice}
            commands={["mcp-meter report --by tool"]}
          />
        </>
      )}
    </>
  );
}

function ToolFigures({ row, view }: { row: ToolViewRow; view: ToolView }) {
  const isEstimated = hasEstimates(view.head);
  const renderTokens = (count: number | null) =>
    count === null ? "–" : <Tokens count={count} isEstimated={isEstimated} isShort />;
  const { definition_tokens: definition, worst_case: worst } = view.head;
  return (
    <Figures
      figures={[
        {
          label: "tokens",
          value: renderTokens(row.context_tokens),
          note: `of ${pluralize(row.calls, "call")}`,
          isMain: true,
        },
        makeCostFigure(row),
        { label: "share", value: formatSmallShare(row.share), note: "of its server" },
        {
          label: "average",
          value: renderTokens(row.average_tokens),
          note: row.refused > 0 ? "per call not refused" : "per call",
        },
        { label: "p95", value: renderTokens(row.p95_tokens) },
        { label: "largest", value: renderTokens(row.max_tokens) },
        {
          label: "errors",
          value: <Count count={row.errors} tone="bad" />,
          note: row.errors > 0 && formatSmallShare(row.errors / row.calls),
        },
        ...listGateFigures(row, isEstimated),
        { label: "definition", value: renderTokens(definition) },
        worst !== null && {
          label: "worst case",
          value: describeWorstCase(worst),
          note: formatWorstCaseNote(worst),
        },
      ]}
    />
  );
}

function Counters({ view }: { view: ToolView }) {
  const { counters } = view.head;
  useTick();
  if (counters.length === 0) return null;
  return (
    <Table
      id="counters"
      title="Budgets"
      rows={Object.fromEntries(Object.entries(counters))}
      columns={listCounterColumns(counters)}
      order={mostUsedFirst}
    />
  );
}

type LastCall = ToolView["tables"]["calls"][string];

function listLastCallColumns(isEstimated: boolean): TableColumn<LastCall>[] {
  return [
    {
      id: "time",
      value: (row) => row.ts,
      cell: (row) => (
        <a href={formatAddress(openScreen(choice.value, "session", { session: row.session_id }))}>
          {row.day} {row.time}
        </a>
      ),
    },
    {
      id: "offset",
      label: "in session",
      kind: "number",
      value: (row) => row.offset_ms,
      cell: (row) => formatElapsed(row.offset_ms),
    },
    ...listCallColumns<LastCall>(isEstimated),
  ];
}
