import { formatDollarRange } from "#kit/text/numbers.ts";
import type { ToolView, ToolViewRow } from "../../view.ts";
import { addressOf, definitionsChoice, onScreen, sessionChoice, isEstimate } from "../address.ts";
import {
  durationText,
  localDay,
  safe,
  shareText,
  worstCaseNote,
  worstCaseText,
} from "../format.ts";
import { BudgetMeter, Figures, Count, Name, Tokens, Heading } from "../parts/text.tsx";
import { callFigures } from "../parts/columns.tsx";
import { Empty } from "../parts/copy.tsx";
import { Histogram, TokensByDuration } from "../parts/distribution.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

export function Tool({ view }: { view: ToolView }) {
  const { head, tables } = view;
  const isAbout = isEstimate(head);
  return (
    <>
      <p class="trail">
        <a href={addressOf(onScreen(choice.value, "overview"))}>Overview</a> /{" "}
        <a href={addressOf(definitionsChoice(choice.value, head.server))}>
          <Name text={head.server} />
        </a>
      </p>
      <Heading>
        <Name text={head.tool} charactersMax={80} />
      </Heading>
      {head.row ? (
        <>
          <ToolFigures row={head.row} view={view} />
          <Counters view={view} />
          <div class="pair even">
            <Histogram rows={tables.histogram} />
            <TokensByDuration points={tables.points} />
          </div>
          <Table
            id="calls"
            title="Last calls"
            rows={tables.calls}
            columns={lastCallColumns(isAbout, head.timezone)}
            order={{ column: "time", isDescending: true }}
          />
        </>
      ) : (
        <>
          <Counters view={view} />
          <Empty
            sentence={pageSentences.noTool}
            advice={pageSentences.noToolAdvice}
            lines={["mcp-meter report --by tool"]}
          />
        </>
      )}
    </>
  );
}

function ToolFigures({ row, view }: { row: ToolViewRow; view: ToolView }) {
  const isAbout = isEstimate(view.head);
  const short = (count: number | null) =>
    count === null ? "–" : <Tokens count={count} isEstimate={isAbout} isShort />;
  const { definition_tokens: definition, worst_case: worst } = view.head;
  return (
    <Figures
      figures={[
        {
          label: "in context",
          value: short(row.context_tokens),
          note: `tokens of ${row.calls === 1 ? "1 call" : `${row.calls} calls`}`,
          isMain: true,
        },
        { label: "share", value: shareText(row.share), note: "of its server" },
        { label: "average", value: short(row.average_tokens), note: "a call" },
        { label: "p95", value: short(row.p95_tokens) },
        { label: "largest", value: short(row.max_tokens) },
        {
          label: "errors",
          value: <Count count={row.errors} tone="bad" />,
          note: row.calls === 0 ? undefined : shareText(row.errors / row.calls),
        },
        { label: "refused", value: <Count count={row.refused} tone="warn" />, note: "by budgets" },
        {
          label: "repeated",
          value: <Count count={row.repeated_calls} />,
          note: short(row.repeated_tokens),
        },
        { label: "definition", value: short(definition), note: "tokens" },
        worst !== null && {
          label: "worst case",
          value: worstCaseText(worst),
          note: worstCaseNote(worst),
        },
        row.cost_usd !== undefined && {
          label: "cost",
          value: row.cost_usd ? formatDollarRange(row.cost_usd) : "none",
          note: "at list prices",
        },
      ]}
    />
  );
}

function Counters({ view }: { view: ToolView }) {
  const { counters } = view.head;
  if (counters.length === 0) return null;
  return (
    <section class="block" aria-labelledby="counters-title">
      <div class="block-head">
        <h2 id="counters-title">Budgets</h2>
      </div>
      <ul class="counters">
        {counters.map((counter) => {
          const { pattern, per, limit, unit, spent, held, left, action } = counter;
          const name = `${safe(pattern ?? "all tools")}: ${limit.toLocaleString("en")} ${unit} per ${per}`;
          return (
            <li key={`${name} ${action}`}>
              <span class="counter-name">{name}</span>
              <BudgetMeter spent={spent} held={held} limit={limit} name={name} />
              <span class="counter-left">
                {left.toLocaleString("en")} {unit} left
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type LastCall = ToolView["tables"]["calls"][string];

function lastCallColumns(isAbout: boolean, timezone: string): TableColumn<LastCall>[] {
  return [
    {
      id: "time",
      label: "time",
      value: (row) => row.ts,
      cell: (row) => (
        <a href={addressOf(sessionChoice(choice.value, row.session_id))}>
          {localDay(row.ts, timezone)} {row.time}
        </a>
      ),
    },
    {
      id: "offset",
      label: "in session",
      kind: "number",
      value: (row) => row.offset_ms,
      cell: (row) => durationText(row.offset_ms),
    },
    ...callFigures<LastCall>(isAbout),
  ];
}
