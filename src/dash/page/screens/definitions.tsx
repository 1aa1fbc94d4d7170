import type { DefinitionRow, DefinitionsView } from "../../view.ts";
import { addressOf, toolChoice } from "../address.ts";
import { shareText } from "../format.ts";
import { countColumn, mainColumn, tokenColumn } from "../parts/columns.tsx";
import { Empty } from "../parts/copy.tsx";
import { DefinitionMap } from "../parts/definition-map.tsx";
import { Figures } from "../parts/figures.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { Count, Name, ShareBar, Tokens } from "../parts/text.tsx";
import { isEstimate } from "../screen-views.ts";
import { pageSentences } from "../sentences.ts";
import { choice, goTo } from "../state.ts";
import { Heading } from "./heading.tsx";

type DefinitionList = NonNullable<DefinitionsView["head"]["list"]>;

/** The definitions of a server by the tokens of their parts. */
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
