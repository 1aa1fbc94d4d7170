import { mayHaveEstimates, type SessionDetails, type SessionView } from "../../view.ts";
import { formatAddress, switchScreen } from "../address.ts";
import { formatSmallShare } from "#kit/text/numbers.ts";
import { formatElapsed } from "#kit/text/durations.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { listSessionCallColumns } from "../parts/columns.tsx";
import { EmptyState } from "../parts/commands.tsx";
import {
  Count,
  Figures,
  Heading,
  listOutcomeFigures,
  makeCostFigure,
  makeTokensRenderer,
  Name,
} from "../parts/elements.tsx";
import { SessionTimeline } from "../parts/session-timeline.tsx";
import { Table } from "../parts/table.tsx";
import { useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

export function Session({ view }: { view: SessionView }) {
  const { session } = view.head;
  if (!session) {
    return (
      <>
        <Heading>Session {escapeUnsafe(view.head.session_id)}</Heading>
        <EmptyState
          sentence={pageSentences.noSession}
          advice={pageSentences.noSessionAdvice}
          commands={["mcp-meter report --by session"]}
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
      </Heading>
      <p class="facts">
        {describeClient(session)} {session.is_live && <span class="badge">live</span>}
      </p>
      {session.is_logged && (
        <p class="facts">{pageSentences.fromLog(session.client ?? "an unknown client")}</p>
      )}
      <SessionFigures session={session} view={view} />
      <SessionTimeline view={view} session={session} />
      <Calls view={view} />
    </>
  );
}

function describeClient({ client, client_version: version, model }: SessionDetails): string {
  const name = client === null ? "unknown client" : `${client} ${version ?? ""}`.trim();
  return escapeUnsafe(model === null ? name : `${name} · ${model}`);
}

function SessionFigures({ session, view }: { session: SessionDetails; view: SessionView }) {
  const { row } = view.head;
  if (!row) return null;
  const { window, duration_ms: durationMs } = session;
  const { context_tokens: contextTokens, total_tokens: callTokens } = row;
  const share = window === 0 ? undefined : contextTokens / window;
  const isEstimated = mayHaveEstimates(view.head);
  const renderTokens = makeTokensRenderer(isEstimated);
  return (
    <Figures
      figures={[
        {
          label: session.is_logged ? "tokens" : "in context",
          value: renderTokens(contextTokens),
          note: describeContext(session, share),
          isMain: true,
          tone: share !== undefined && share >= 0.9 ? "bad" : undefined,
        },
        makeCostFigure(row),
        {
          label: "definitions",
          value: session.is_logged
            ? "unknown"
            : renderTokens(row.resident_tokens + row.loaded_tokens),
          note: session.is_logged && "not in logs",
        },
        { label: "in calls", value: renderTokens(callTokens) },
        { label: "calls", value: <Count count={row.calls} /> },
        ...listOutcomeFigures(row, isEstimated),
        {
          label: "duration",
          value: formatElapsed(row.duration_ms ?? 0),
          note: session.is_live
            ? "so far"
            : durationMs === null
              ? "no end recorded"
              : "from start to end",
        },
      ]}
    />
  );
}

function describeContext(
  { is_logged: isLogged, window }: SessionDetails,
  share: number | undefined,
) {
  if (isLogged) return "of calls";
  return share === undefined ? "tokens" : pageSentences.window(formatSmallShare(share), window);
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
          {escapeUnsafe(name)}
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
        columns={listSessionCallColumns(mayHaveEstimates(view.head), Object.values(calls))}
        order={{ column: "seq", isDescending: false }}
        filterText={(row) => `${row.tool} ${row.outcome}`}
        aside={tools.length > 1 && toolPicker}
        emptyContent={<EmptyState sentence={pageSentences.noCalls} />}
      />
      {view.head.calls_left_out > 0 && (
        <p class="facts">{pageSentences.callsLeftOut(view.head.calls_left_out)}</p>
      )}
    </>
  );
}
