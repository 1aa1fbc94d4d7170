import type { MarkRow, SessionView, ViewRows } from "../../view.ts";
import { durationText, safe, shortName, tokenText } from "../format.ts";
import { useMemo, useState } from "../preact.ts";
import { isEstimate } from "../screen-views.ts";
import { pageSentences } from "../sentences.ts";
import { layTimeline, type Spread, type TimelinePoint } from "../timeline.ts";
import { OutcomeText } from "./call-columns.tsx";
import { OutcomeLegend } from "./outcome-legend.tsx";
import { contextHeight, laneHeight, TimelineDrawing } from "./timeline-drawing.tsx";
import { useWidth } from "./use-width.ts";

const lanesMost = 8;

type Session = NonNullable<SessionView["head"]["session"]>;

export function SessionTimeline({ view, session }: { view: SessionView; session: Session }) {
  const [spread, setSpread] = useState<Spread>("time");
  const [pointed, setPointed] = useState<TimelinePoint>();
  const [place, width] = useWidth();
  const gutter = Math.min(170, Math.round(width * 0.28));
  const { calls, marks } = view.tables;
  const timeline = useMemo(
    () =>
      layTimeline(
        Object.values(calls),
        Object.entries(marks),
        { definitionTokens: session.definition_tokens, window: session.window },
        {
          width: Math.max(1, width - gutter - 4),
          contextHeight,
          laneHeight,
          lanes: lanesMost,
          spread,
        },
      ),
    [calls, marks, session.definition_tokens, session.window, width, spread],
  );
  const isAbout = isEstimate(view.head);
  return (
    <section class="block" aria-labelledby="timeline-title">
      <div class="block-head">
        <h2 id="timeline-title">Timeline</h2>
        <Spreads spread={spread} onSpread={setSpread} />
        <OutcomeLegend />
        <p class="readout">
          {pointed ? (
            <CallReadout placed={pointed} isAbout={isAbout} />
          ) : (
            <span class="hint">{pageSentences.timelineHint}</span>
          )}
        </p>
      </div>
      <div class="timeline" ref={place}>
        {width > 0 && (
          <TimelineDrawing
            {...{ timeline, session, width, gutter, spread, pointed, isAbout, setPointed }}
          />
        )}
      </div>
      <Alerts marks={marks} />
    </section>
  );
}

function Spreads(props: { spread: Spread; onSpread: (spread: Spread) => void }) {
  return (
    <div class="segments small" role="group" aria-label="spread of the calls">
      {(["time", "order"] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === props.spread}
          onClick={() => props.onSpread(one)}
        >
          by {one}
        </button>
      ))}
    </div>
  );
}

function CallReadout({ placed: { call }, isAbout }: { placed: TimelinePoint; isAbout: boolean }) {
  return (
    <>
      <b>{shortName(call.tool, 32)}</b> {tokenText(call.total_tokens, isAbout)} tokens at{" "}
      {durationText(call.offset_ms)} <OutcomeText outcome={call.outcome} />
    </>
  );
}

function Alerts({ marks }: { marks: ViewRows<MarkRow> }) {
  const rows = Object.values(marks).toSorted((one, other) => one.seq - other.seq);
  if (rows.length === 0) return null;
  return (
    <details class="numbers">
      <summary>Alerts ({rows.length})</summary>
      <ul class="alerts">
        {rows.map((mark) => (
          <li key={mark.seq}>
            <span class="alert-time">{durationText(mark.offset_ms)}</span>{" "}
            <b>{mark.alert.replaceAll("_", " ")}</b>
            {mark.tool !== null && ` ${shortName(mark.tool, 40)}`}: {safe(mark.detail)}
          </li>
        ))}
      </ul>
    </details>
  );
}
