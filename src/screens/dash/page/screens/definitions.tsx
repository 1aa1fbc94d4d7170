import { formatSmallShare, pluralize } from "#kit/text/numbers.ts";
import { hasUnknownDefinitions } from "#history/reports/usage-report.ts";
import { escapeUnsafe, quoteShellWord } from "#kit/text/unsafe-text.ts";
import {
  mayHaveEstimates,
  type DefinitionRow,
  type DefinitionsView,
  type ListDetails,
  type LockRow,
} from "../../view.ts";
import { formatDay, formatDifference, formatTokens } from "../format.ts";
import { makeCountColumn, markMain, makeTokenColumn } from "../parts/columns.tsx";
import { Command, EmptyState } from "../parts/commands.tsx";
import {
  Figures,
  Count,
  Name,
  NameLink,
  ShareBar,
  makeTokensRenderer,
  Heading,
} from "../parts/elements.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { pageSentences } from "../sentences.ts";

export function Definitions({ view }: { view: DefinitionsView }) {
  const { server, list } = view.head;
  const isEstimated = mayHaveEstimates(view.head);
  if (server === null || !list) return <NoDefinitions view={view} />;
  const [day = "", time = ""] = list.listed_local.split(" ");
  return (
    <>
      <Heading>
        Definitions <ServerName server={server} />
      </Heading>
      <p class="facts">{pageSentences.newestList(formatDay(day), time)}</p>
      <ListFigures list={list} view={view} />
      <LockComparison view={view} />
      <Table
        id="definitions"
        title="Tools"
        rows={view.tables.tools}
        columns={listDefinitionColumns(server, view, isEstimated)}
        order={{ column: "tokens", isDescending: true }}
        filterText={(row) => row.name}
      />
    </>
  );
}

function NoDefinitions({ view: { head } }: { view: DefinitionsView }) {
  const { server, row } = head;
  const isFromClientLogs = row !== null && hasUnknownDefinitions(row);
  return (
    <>
      <Heading>Definitions {server !== null && <ServerName server={server} />}</Heading>
      {isFromClientLogs ? (
        <EmptyState
          sentence={pageSentences.definitionsNotLogged}
          advice={pageSentences.definitionsNotLoggedAdvice}
          commands={["mcp-meter wrap"]}
        />
      ) : (
        <EmptyState
          sentence={server === null ? pageSentences.noDefinitions : pageSentences.noList}
          advice={pageSentences.noDefinitionsAdvice}
          commands={["mcp-meter profile --configured"]}
        />
      )}
    </>
  );
}

function ServerName({ server }: { server: string }) {
  return (
    <span class="h1-more">
      <Name text={server} />
    </span>
  );
}

function ListFigures({ list, view }: { list: ListDetails; view: DefinitionsView }) {
  const { row } = view.head;
  const isEstimated = mayHaveEstimates(view.head);
  const renderTokens = makeTokensRenderer(isEstimated);
  return (
    <Figures
      figures={[
        row !== null && {
          label: "tokens in all sessions",
          value: renderTokens(row.resident_tokens + row.loaded_tokens),
          note: describeSessions(row.sessions, view.head.counted_by.length),
          isMain: true,
        },
        {
          label: "newest list",
          value: renderTokens(list.total_tokens),
          note: `of ${pluralize(list.tools_total, "tool")}`,
        },
        {
          label: "in context",
          value: renderTokens(list.resident_tokens),
          note: list.is_deferred ? "before a tool is called" : "from the start",
        },
        { label: "instructions", value: renderTokens(list.instructions_tokens) },
        {
          label: "not called",
          value: <Count count={list.never_called} tone="warn" />,
          note: `of ${pluralize(list.tools_total, "tool")}`,
        },
        {
          label: "unused tokens",
          value: renderTokens(list.never_called_tokens),
          note: list.is_deferred
            ? `in context; ${formatTokens(list.never_called_listed_tokens, isEstimated, true)} in the full list`
            : "in context",
        },
      ]}
    />
  );
}

function describeSessions(sessions: number, estimators: number): string {
  const counted = estimators > 1 ? `, counted by ${estimators} estimators` : "";
  return `${pluralize(sessions, "session")}${counted}`;
}

function LockComparison({ view }: { view: DefinitionsView }) {
  const { lock } = view.head;
  if (!lock) return null;
  const isEstimated = mayHaveEstimates(view.head);
  const { file, differences, change_tokens: change } = lock;
  if (differences === 0) {
    return <p class="facts">{pageSentences.matchesLock(escapeUnsafe(file))}</p>;
  }
  const changeText = change === null || change === 0 ? "" : formatDifference(change);
  return (
    <>
      <Table
        id="lock"
        title="Differences from the lock"
        rows={view.tables.lock}
        columns={listLockColumns(isEstimated)}
        order={{ column: "change", isDescending: false }}
        aside={
          <span class="facts">
            {pageSentences.comparedWithLock(escapeUnsafe(file), changeText)}
          </span>
        }
      />
      {change === null && <p class="facts">{pageSentences.lockNotComparable}</p>}
      <p class="facts">
        {pageSentences.lockAdvice}{" "}
        <Command line={`mcp-meter lock --check --lock ${quoteShellWord(file)} -- COMMAND`} />
      </p>
    </>
  );
}

function listLockColumns(isEstimated: boolean): TableColumn<LockRow>[] {
  return [
    {
      id: "name",
      label: "tool",
      value: (row) => row.name,
      cell: (row) => <Name text={row.name} />,
    },
    { id: "change", value: (row) => row.change, isMain: true },
    makeTokenColumn(["before", "in the lock"], isEstimated, (row) => row.before_tokens),
    makeTokenColumn(["after", "now"], isEstimated, (row) => row.after_tokens),
    {
      id: "difference",
      kind: "number",
      value: computeDifference,
      cell: (row) => <Difference tokens={computeDifference(row)} />,
      isMain: true,
    },
  ];
}

function computeDifference({ change, before_tokens: before, after_tokens: after }: LockRow) {
  if (change === "added") return after;
  if (change === "removed") return before === null ? null : -before;
  return before === null || after === null ? null : after - before;
}

function Difference({ tokens }: { tokens: number | null }) {
  if (tokens === null || tokens === 0)
    return <span class="zero">{tokens === null ? "–" : "0"}</span>;
  return <span class={tokens > 0 ? "bad" : "good"}>{formatDifference(tokens)}</span>;
}

function listDefinitionColumns(
  server: string,
  { head: { list }, tables }: DefinitionsView,
  isEstimated: boolean,
): TableColumn<DefinitionRow>[] {
  const total = list?.total_tokens ?? 0;
  const computeShare = ({ tokens }: DefinitionRow): number => (total === 0 ? 0 : tokens / total);
  const maxShare = Math.max(0, ...Object.values(tables.tools).map(computeShare));
  return [
    {
      id: "tool",
      value: (row) => row.name,
      cell: (row) => <NameLink server={server} tool={row.name} />,
    },
    markMain(makeCountColumn(["calls"], (row) => row.calls)),
    makeTokenColumn(["name"], isEstimated, (row) => row.name_tokens),
    makeTokenColumn(["description"], isEstimated, (row) => row.description_tokens),
    makeTokenColumn(["schema"], isEstimated, (row) => row.schema_tokens),
    markMain(makeTokenColumn(["tokens", "total"], isEstimated, (row) => row.tokens)),
    {
      id: "share",
      kind: "bar",
      value: computeShare,
      cell: (row) => (
        <>
          <ShareBar
            share={computeShare(row)}
            max={maxShare}
            fillClass={row.calls === 0 ? "series-other" : "series-0"}
          />
          <span class="share">{formatSmallShare(computeShare(row))}</span>
        </>
      ),
    },
    makeTokenColumn(
      [
        "wire",
        "only on the wire",
        "Members that models do not read, such as the output schema and annotations",
      ],
      isEstimated,
      (row) => row.wire_only_tokens,
    ),
  ];
}
