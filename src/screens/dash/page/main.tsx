import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { isScreenView, type ViewName, type View } from "../view.ts";
import { formatAddress, switchScreen } from "./address.ts";
import { Filters } from "./filters.tsx";
import { Command, CopyButton, EmptyState } from "./parts/commands.tsx";
import { render, useEffect, useRef } from "./preact.ts";
import { pageSentences } from "./sentences.ts";
import { announcement, choice, start, streamState } from "./state.ts";
import { Advice } from "./screens/advice.tsx";
import { Definitions } from "./screens/definitions.tsx";
import { Overview } from "./screens/overview.tsx";
import { Session } from "./screens/session.tsx";
import { Tool } from "./screens/tool.tsx";
import { Trend } from "./screens/trend.tsx";
import { Budgets } from "./screens/budgets.tsx";

const tabs: readonly (readonly [screen: ViewName, label: string])[] = [
  ["overview", "Overview"],
  ["trend", "Trend"],
  ["advice", "Advice"],
  ["definitions", "Definitions"],
  ["budgets", "Budgets"],
];

function Frame() {
  const { view, shownChoice, connection } = streamState.value;
  const isBusy = shownChoice !== choice.value && connection !== "lost";
  const main = useRef<HTMLElement>(null);
  useFocusOnNewScreen(main, view);
  return (
    <>
      <button type="button" class="button skip" onClick={() => main.current?.focus()}>
        Skip to the numbers
      </button>
      <Header />
      <main ref={main} tabIndex={-1} aria-busy={isBusy}>
        <Filters />
        {connection === "lost" && (
          <div class="banner" role="alert">
            <p>{pageSentences.serverLost}</p>
            <Command line="mcp-meter dash" />
          </div>
        )}
        {view ? <CurrentScreen view={view} /> : <Loading />}
      </main>
      {view && <Footer view={view} />}
      <p class="hidden" role="status">
        {announcement.value}
      </p>
    </>
  );
}

function Loading() {
  return (
    <>
      <h1 class="hidden">mcp-meter</h1>
      <EmptyState sentence={pageSentences.loading} />
    </>
  );
}

function Header() {
  const current = choice.value;
  return (
    <header>
      <a class="brand" href="#/">
        <svg width="22" height="16" viewBox="0 0 22 16" aria-hidden="true">
          <rect class="series-definitions" y="10" width="4" height="6" rx="1" />
          <rect class="series-0" x="6" y="6" width="4" height="10" rx="1" />
          <rect class="series-1" x="12" y="2" width="4" height="14" rx="1" />
          <rect class="series-other" x="18" y="8" width="4" height="8" rx="1" />
        </svg>
        mcp-meter
      </a>
      <nav aria-label="screens">
        {tabs.map(([screen, label]) => (
          <a
            key={screen}
            href={formatAddress(switchScreen(current, screen))}
            aria-current={isCurrentTab(current.screen, screen) ? "page" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Connection />
    </header>
  );
}

function isCurrentTab(current: ViewName, tab: ViewName): boolean {
  if (current === "session" || current === "tool") return tab === "overview";
  return current === tab;
}

function Connection() {
  const { connection } = streamState.value;
  return (
    <span
      class={`connection ${connection}`}
      role="status"
      data-connection={connection}
      title={connection === "reconnecting" ? pageSentences.reconnecting : undefined}
    >
      <svg width="8" height="8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" />
      </svg>
      {pageSentences.connection[connection]}
    </span>
  );
}

function Footer({ view }: { view: View }) {
  const { screen, notes, command, first, last, timezone, recorded_days: days } = view.head;
  return (
    <footer>
      {notes.length > 0 && (
        <ul class="notes" aria-label="notes">
          {notes.map((note) => (
            <li key={note}>{escapeUnsafe(note)}</li>
          ))}
        </ul>
      )}
      <div class="same-numbers">
        <span>{pageSentences.sameNumbers[screen]}</span> <Command line={command} />
        <CopyButton
          label="copy as JSON"
          text={() => JSON.stringify(streamState.value.view, null, 2)}
        />
      </div>
      {screen !== "budgets" && (
        <p class="period">
          {pageSentences.period(first, last, timezone)}. {pageSentences.olderDays(days)}
        </p>
      )}
    </footer>
  );
}

const titleCharactersMax = 120;

function useFocusOnNewScreen(
  main: { readonly current: HTMLElement | null },
  view: View | undefined,
): void {
  const previousTitle = useRef<string>(undefined);
  useEffect(() => {
    const heading = main.current?.querySelector("h1");
    const title = heading?.textContent.slice(0, titleCharactersMax);
    if (!view || title === undefined || title === previousTitle.current) return;
    document.title = `${title} — mcp-meter`;
    const isFirst = previousTitle.current === undefined;
    previousTitle.current = title;
    if (isFirst) return;
    scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}

function CurrentScreen({ view }: { view: View }) {
  if (isScreenView(view, "overview")) return <Overview view={view} />;
  if (isScreenView(view, "session")) return <Session key={view.head.session_id} view={view} />;
  if (isScreenView(view, "tool")) {
    return <Tool key={`${view.head.server}\n${view.head.tool}`} view={view} />;
  }
  if (isScreenView(view, "definitions")) return <Definitions view={view} />;
  if (isScreenView(view, "budgets")) return <Budgets view={view} />;
  if (isScreenView(view, "trend")) return <Trend view={view} />;
  return isScreenView(view, "advice") ? <Advice view={view} /> : null;
}

const container = document.querySelector("#app");
if (container) render(<Frame />, container);
start();
