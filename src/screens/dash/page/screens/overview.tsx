import { formatDollarRange, plural } from "#kit/text/numbers.ts";
import type { Measures } from "#history/reports/usage-report.ts";
import type { OverviewView } from "../../view.ts";
import { safe, shareText, compact, tokenText, seriesLook } from "../format.ts";
import { ColumnChart } from "../parts/column-chart.tsx";
import { Empty } from "../parts/copy.tsx";
import { Figures, Count, Tokens, Heading, Name, Swatch, useWidth } from "../parts/text.tsx";
import { Table } from "../parts/table.tsx";
import { useMemo } from "../preact.ts";
import { isEstimate } from "../address.ts";
import { pageSentences } from "../sentences.ts";
import { stackBuckets, type StackSpan, barParts } from "../stack.ts";
import { choice } from "../state.ts";
import { clientColumns, serverColumns, sessionColumns, toolColumns } from "./overview-columns.tsx";

const pageRows = 15;
const largestFirst = { column: "tokens", isDescending: true } as const;

export function Overview({ view }: { view: OverviewView }) {
  const { head, tables } = view;
  const { bucket, series } = head;
  const { period } = choice.value;
  const stack = useMemo(() => {
    const first = period === "all" ? null : head.first;
    const span: StackSpan = bucket === "hour" ? { bucket } : { bucket, first, last: head.last };
    return stackBuckets(tables.buckets, series, span);
  }, [tables.buckets, series.join("\n"), bucket, period, head.first, head.last]);
  const isAbout = isEstimate(head);
  if (!head.totals) {
    return (
      <>
        <Heading isHidden>Overview</Heading>
        <Empty
          sentence={pageSentences.noRecords}
          advice={pageSentences.noRecordsAdvice}
          lines={["mcp-meter -- npx -y @modelcontextprotocol/server-memory", "mcp-meter import"]}
        />
      </>
    );
  }
  return (
    <>
      <Heading isHidden>Overview</Heading>
      <Totals totals={head.totals} view={view} />
      <Composition series={series} tokens={stack.bySeries} isEstimate={isAbout} />
      <ColumnChart stack={stack} series={series} bucket={bucket} isEstimate={isAbout} />
      <Tables view={view} />
      {head.prices !== undefined && (
        <p class="facts prices">{pageSentences.prices(safe(head.prices))}</p>
      )}
    </>
  );
}

function Totals({ totals, view }: { totals: Measures; view: OverviewView }) {
  const isAbout = isEstimate(view.head);
  const live = view.head.live_sessions;
  const definitions = totals.resident_tokens + totals.loaded_tokens;
  const ofContext = (tokens: number): string =>
    totals.context_tokens === 0 ? "" : shareText(tokens / totals.context_tokens);
  const short = (count: number) => <Tokens count={count} isEstimate={isAbout} isShort />;
  const failed = totals.errors + totals.abandoned;
  return (
    <Figures
      figures={[
        {
          label: "in contexts",
          value: short(totals.context_tokens),
          note: `tokens of ${plural(totals.sessions, "session")}${live > 0 ? `, ${live} live` : ""}`,
          isMain: true,
        },
        { label: "definitions", value: short(definitions), note: ofContext(definitions) },
        {
          label: "calls",
          value: short(totals.total_tokens),
          note: `${plural(totals.calls, "call")}, ${ofContext(totals.total_tokens)}`,
        },
        { label: "largest call", value: short(totals.max_tokens), note: "tokens" },
        {
          label: "failed",
          value: <Count count={failed} tone="bad" />,
          note: totals.calls === 0 ? "" : shareText(failed / totals.calls),
        },
        {
          label: "refused",
          value: <Count count={totals.refused} tone="warn" />,
          note: "by budgets",
        },
        {
          label: "repeated",
          value: <Count count={totals.repeated_calls} />,
          note: short(totals.repeated_tokens),
        },
        (totals.imported_calls ?? 0) > 0 && {
          label: "from logs",
          value: <Count count={totals.imported_calls ?? 0} />,
          note: "calls, of clients",
        },
        totals.cost_usd !== undefined && {
          label: "cost",
          value: totals.cost_usd ? formatDollarRange(totals.cost_usd) : "none",
          note: "at list prices",
        },
      ]}
    />
  );
}

function Tables({ view }: { view: OverviewView }) {
  const { head, tables } = view;
  const most = Math.max(0, ...Object.values(tables.tools).map(({ share }) => share));
  const context = { isAbout: isEstimate(head), choice: choice.value, series: head.series, most };
  const withCost = head.totals?.cost_usd !== undefined;
  return (
    <>
      <Table
        id="tools"
        title="Tools"
        rows={tables.tools}
        columns={toolColumns(context, withCost)}
        order={largestFirst}
        text={(row) => text(row.tool, row.server)}
        pageRows={pageRows}
      />
      <div class="pair">
        <Table
          id="servers"
          title="Servers"
          rows={tables.servers}
          columns={serverColumns(context)}
          order={largestFirst}
          text={(row) => text(row.server)}
          pageRows={pageRows}
        />
        <Table
          id="clients"
          title="Clients"
          rows={tables.clients}
          columns={clientColumns(context)}
          order={largestFirst}
          text={(row) => text(row.client)}
          pageRows={pageRows}
        />
      </div>
      <Table
        id="sessions"
        title="Sessions"
        rows={tables.sessions}
        columns={sessionColumns(context)}
        order={{ column: "began", isDescending: true }}
        text={(row) => text(row.began_local, row.server, row.client, row.session_id)}
        pageRows={pageRows}
      />
    </>
  );
}

function text(...names: readonly (string | null | undefined)[]): string {
  return names.map((name) => name ?? "").join(" ");
}

function Composition(props: {
  series: readonly string[];
  tokens: readonly number[];
  isEstimate: boolean;
}) {
  const { series, tokens, isEstimate: isEstimated } = props;
  const [place, width] = useWidth();
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const named = series.map((name, at) => ({ name, at, count: tokens[at] ?? 0 }));
  const parts = named.filter(({ count }) => count > 0);
  const texts = parts.map(({ name, count }) => `${safe(name)} ${shareText(count / total)}`);
  return (
    <div class="composition" ref={place}>
      <svg
        width={width}
        height="22"
        role="img"
        aria-label={pageSentences.composition(texts)}
        class="composition-bar"
      >
        {barParts(tokens, width).map(({ index, x, width: wide }) => (
          <rect
            key={index}
            class={seriesLook(index, series)}
            x={x}
            width={Math.max(1, wide - 2)}
            height="22"
          >
            <title>{`${safe(series[index] ?? "")}: ${tokenText(tokens[index] ?? 0, isEstimated)}`}</title>
          </rect>
        ))}
      </svg>
      <ul class="legend">
        {parts.map(({ name, at, count }) => (
          <li key={name}>
            <Swatch look={seriesLook(at, series)} />
            <Name text={name} charactersMax={28} />
            <span class="legend-number">
              {isEstimated ? "~" : ""}
              {compact(count)}
            </span>
            <span class="legend-share">{shareText(count / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
