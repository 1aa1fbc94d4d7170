import { shellWord } from "#kit/text/shell-word.ts";
import type { DefinitionRow, DefinitionsView, LockRow } from "../../view.ts";
import { addressOf, toolChoice, isEstimate } from "../address.ts";
import { safe, shareText, signed } from "../format.ts";
import { countColumn, mainColumn, tokenColumn } from "../parts/columns.tsx";
import { Command, Empty } from "../parts/copy.tsx";
import { DefinitionMap } from "../parts/definition-map.tsx";
import { Figures, Count, Name, ShareBar, Tokens, Heading } from "../parts/text.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { pageSentences } from "../sentences.ts";
import { choice, goTo } from "../state.ts";

type DefinitionList = NonNullable<DefinitionsView["head"]["list"]>;

export function Definitions({ view }: { view: DefinitionsView }) {
  const { server, list } = view.head;
  const isAbout = isEstimate(view.head);
  if (server === null || !list) {
    return (
      <>
        <Heading>Definitions{server !== null && <NameOf server={server} />}</Heading>
        <Empty
          sentence={pageSentences.noDefinitions}
          advice={pageSentences.noDefinitionsAdvice}
          lines={["mcp-meter profile -- npx -y @modelcontextprotocol/server-memory"]}
        />
      </>
    );
  }
  return (
    <>
      <Heading>
        Definitions
        <NameOf server={server} />
      </Heading>
      <ListFigures list={list} isAbout={isAbout} />
      <DefinitionMap
        rows={view.tables.tools}
        isEstimate={isAbout}
        onPick={(row) => goTo(toolChoice(choice.value, server, row.name))}
      />
      <LockedTools view={view} />
      <Table
        id="definitions"
        title="Tools"
        rows={view.tables.tools}
        columns={definitionColumns(server, view, isAbout)}
        order={{ column: "tokens", isDescending: true }}
        text={(row) => row.name}
      />
    </>
  );
}

function NameOf({ server }: { server: string }) {
  return (
    <span class="h1-more">
      <Name text={server} />
    </span>
  );
}

function ListFigures({ list, isAbout }: { list: DefinitionList; isAbout: boolean }) {
  const short = (count: number) => <Tokens count={count} isEstimate={isAbout} isShort />;
  const idle = list.tools_total === 0 ? 0 : list.never_called / list.tools_total;
  return (
    <Figures
      figures={[
        {
          label: "listed",
          value: short(list.total_tokens),
          note: `tokens of ${list.tools_total === 1 ? "1 tool" : `${list.tools_total} tools`}`,
          isMain: true,
        },
        {
          label: "in context",
          value: short(list.resident_tokens),
          note: list.is_deferred ? "loaded on demand" : "from the start",
        },
        { label: "instructions", value: short(list.instructions_tokens), note: "tokens" },
        {
          label: "never called",
          value: <Count count={list.never_called} tone="warn" />,
          note: `${shareText(idle)} of the tools`,
        },
        { label: "of never called", value: short(list.never_called_tokens), note: "tokens" },
        { label: "last listed", value: list.ts.slice(0, 10), note: `${list.ts.slice(11, 16)} UTC` },
      ]}
    />
  );
}

function LockedTools({ view }: { view: DefinitionsView }) {
  const { lock } = view.head;
  if (!lock) return null;
  const isAbout = isEstimate(view.head);
  const { file, differences, change_tokens: change } = lock;
  if (differences === 0) {
    return <p class="facts">{pageSentences.asLocked(safe(file))}</p>;
  }
  const text = change === null || change === 0 ? "" : `${change > 0 ? "+" : ""}${signed(change)}`;
  return (
    <>
      <Table
        id="lock"
        title="Differences from the lock"
        rows={view.tables.lock}
        columns={lockColumns(isAbout)}
        order={{ column: "change", isDescending: false }}
        aside={<span class="facts">{pageSentences.lock(safe(file), text)}</span>}
      />
      <p class="facts">
        {pageSentences.lockAdvice} <Command line={lockCommand(file)} />
      </p>
    </>
  );
}

function lockCommand(file: string): string {
  return `mcp-meter lock --check --file ${shellWord(file)} -- COMMAND`;
}

function lockColumns(isAbout: boolean): TableColumn<LockRow>[] {
  return [
    {
      id: "name",
      label: "tool",
      value: (row) => row.name,
      cell: (row) => <Name text={row.name} />,
    },
    { id: "change", label: "change", value: (row) => row.change, isMain: true },
    tokenColumn(["before", "in the lock"], isAbout, (row) => row.before_tokens),
    tokenColumn(["after", "now"], isAbout, (row) => row.after_tokens),
    {
      id: "difference",
      label: "difference",
      kind: "number",
      value: differenceOf,
      cell: (row) => <Difference tokens={differenceOf(row)} />,
      isMain: true,
    },
  ];
}

function differenceOf({ change, before_tokens: before, after_tokens: after }: LockRow) {
  if (change === "added") return after;
  if (change === "removed") return before === null ? null : -before;
  return before === null || after === null ? null : after - before;
}

function Difference({ tokens }: { tokens: number | null }) {
  if (tokens === null || tokens === 0)
    return <span class="zero">{tokens === null ? "–" : "0"}</span>;
  return (
    <span class={tokens > 0 ? "bad" : "good"}>{`${tokens > 0 ? "+" : ""}${signed(tokens)}`}</span>
  );
}

function definitionColumns(
  server: string,
  { head: { list }, tables }: DefinitionsView,
  isAbout: boolean,
): TableColumn<DefinitionRow>[] {
  const total = list?.total_tokens ?? 0;
  const shareOf = ({ tokens }: DefinitionRow): number => (total === 0 ? 0 : tokens / total);
  const most = Math.max(0, ...Object.values(tables.tools).map(shareOf));
  return [
    {
      id: "tool",
      label: "tool",
      value: (row) => row.name,
      cell: (row) => (
        <a href={addressOf(toolChoice(choice.value, server, row.name))}>
          <Name text={row.name} />
        </a>
      ),
    },
    mainColumn(countColumn(["calls", "calls"], (row) => row.calls)),
    tokenColumn(["name", "name"], isAbout, (row) => row.name_tokens),
    tokenColumn(["description", "description"], isAbout, (row) => row.description_tokens),
    tokenColumn(["schema", "schema"], isAbout, (row) => row.schema_tokens),
    mainColumn(tokenColumn(["tokens", "total"], isAbout, (row) => row.tokens)),
    {
      id: "share",
      label: "share",
      kind: "bar",
      value: shareOf,
      cell: (row) => (
        <>
          <ShareBar
            share={shareOf(row)}
            most={most}
            look={row.calls === 0 ? "series-other" : "series-0"}
          />
          <span class="share">{shareText(shareOf(row))}</span>
        </>
      ),
    },
    tokenColumn(
      [
        "wire",
        "only on the wire",
        "Output schema, annotations and icons: a model does not read them",
      ],
      isAbout,
      (row) => row.wire_only_tokens,
    ),
  ];
}
