import type { SessionView } from "../../view.ts";
import { formatAddress, switchScreen, hasEstimates } from "../address.ts";
import { formatElapsed, escapeText, formatSmallShare } from "../format.ts";
import { listSessionCallColumns } from "../parts/columns.tsx";
import { Empty } from "../parts/copy.tsx";
import { Figures, Count, Name, Tokens, Heading } from "../parts/text.tsx";
import { SessionTimeline } from "../parts/session-timeline.tsx";
import { Table } from "../parts/table.tsx";
import { useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

type Session = NonNullable<SessionView["head"]["session"]>;

export function Session({ view }: { view: SessionView }) {
  const { session } = view.head;
  if (!session) {
    return (
      <>
        <Heading>Session {escapeText(view.head.session_id)}</Heading>
        <Empty
          sentence={pageSentences.noSession}
          advice={pageSentences.noSessionAdvice}
          lines={["mcp-meter report --by session"]}
        />
      </>
    );
  }
  return (
    <>
      <p class="trail">
        <a href={formatAddress(switchScreen(choice.value, "overview"))}>Overview</a> / Session
      </p>
      <Heading>
        <Name text={session.server} /> <span class="h1-more">{session.began_local}</span>
        {session.is_live && <span class="badge live">live</span>}
      </Heading>
      <p class="facts">{describeClient(session)}</p>
      <SessionFigures session={session} isEstimated={hasEstimates(view.head)} />
      <SessionTimeline view={view} session={session} />
      <Calls view={view} />
    </>
  );
}

function describeClient({ client, client_version: version, model }: Session): string {
  const name = client === null ? "unknown client" : `${client} ${version ?? ""}`.trim();
  return escapeText(model === null ? name : `${name} · ${model}`);
}

function SessionFigures({ session, isEstimated }: { session: Session; isEstimated: boolean }) {
  const { window, context_tokens: context, definition_tokens: definitions } = session;
  const share = window === 0 ? undefined : context / window;
  const calls = context - definitions;
  return (
    <Figures
      figures={[
        {
          label: "in context",
          value: <Tokens count={context} isEstimated={isEstimated} isShort />,
          note:
            share === undefined ? "tokens" : pageSentences.window(formatSmallShare(share), window),
          isMain: true,
          tone: share !== undefined && share >= 0.9 ? "bad" : undefined,
        },
        {
          label: "definitions",
          value: <Tokens count={definitions} isEstimated={isEstimated} isShort />,
          note: "from the start",
        },
        {
          label: "calls",
          value: <Count count={session.calls} />,
          note: <Tokens count={Math.max(0, calls)} isEstimated={isEstimated} isShort />,
        },
        { label: "errors", value: <Count count={session.errors} tone="bad" /> },
        {
          label: "refused",
          value: <Count count={session.refused} tone="warn" />,
          note: "by budgets",
        },
        {
          label: "duration",
          value: session.duration_ms === null ? "–" : formatElapsed(session.duration_ms),
          note: session.is_live
            ? "still running"
            : session.duration_ms === null
              ? "no end recorded"
              : undefined,
        },
      ]}
    />
  );
}

function Calls({ view }: { view: SessionView }) {
  const [tool, setTool] = useState("");
  const { calls } = view.tables;
  const tools = [...new Set(Object.values(calls).map((row) => row.tool))].toSorted();
  const isKnown = tools.includes(tool);
  const rows = isKnown
    ? Object.fromEntries(Object.entries(calls).filter(([, row]) => row.tool === tool))
    : calls;
  const toolPicker = (
    <select
      aria-label="tool"
      value={isKnown ? tool : ""}
      onChange={(event) => setTool(event.currentTarget.value)}
    >
      <option value="">all tools</option>
      {tools.map((name) => (
        <option key={name} value={name}>
          {escapeText(name)}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <Table
        id="calls"
        title="Calls"
        rows={rows}
        columns={listSessionCallColumns(hasEstimates(view.head))}
        order={{ column: "seq", isDescending: false }}
        text={(row) => `${row.tool} ${row.outcome}`}
        aside={tools.length > 1 && toolPicker}
        emptyContent={<Empty sentence={pageSentences.noCalls} />}
      />
      {view.head.calls_left_out > 0 && (
        <p class="facts">{pageSentences.callsLeftOut(view.head.calls_left_out)}</p>
      )}
    </>
  );
}
