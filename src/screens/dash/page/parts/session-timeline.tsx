import type { MarkRow, SessionView, ViewRows } from "../../view.ts";
import { durationText, safe, shortName, tokenText, compact } from "../format.ts";
import { useMemo, useState } from "../preact.ts";
import { isEstimate } from "../address.ts";
import { pageSentences } from "../sentences.ts";
import {
  layTimeline,
  type Spread,
  type TimelinePoint,
  nearestCall,
  type CallLook,
  type Timeline,
} from "../timeline.ts";
import { OutcomeText } from "./columns.tsx";
import { OutcomeLegend, useWidth } from "./text.tsx";
import { countTicks, timeTicks } from "../stack.ts";

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

const contextHeight = 132;
const laneHeight = 30;
const axisHeight = 22;

const looks: readonly CallLook[] = ["ok", "other", "refused", "error"];

type DrawnSession = NonNullable<SessionView["head"]["session"]>;

type DrawingProps = {
  readonly timeline: Timeline;
  readonly session: DrawnSession;
  readonly width: number;
  readonly gutter: number;
  readonly spread: Spread;
  readonly pointed: TimelinePoint | undefined;
  readonly isAbout: boolean;
  readonly setPointed: (placed: TimelinePoint | undefined) => void;
};

function TimelineDrawing(props: DrawingProps) {
  const { timeline, session, width, gutter, spread, pointed, isAbout, setPointed } = props;
  const lanesHeight = timeline.lanes.length * laneHeight;
  const height = contextHeight + 8 + lanesHeight + axisHeight;
  const tokens = tokenText(session.context_tokens, isAbout);
  const point = (event: PointerEvent & { currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top - contextHeight - 8) / laneHeight);
    const isLane = lane >= 0 && lane < timeline.lanes.length;
    const x = event.clientX - box.left - gutter;
    setPointed(nearestCall(timeline.placed, x, isLane ? lane : undefined));
  };
  // Thousands of calls are not compared again for each move of the pointer.
  const still = useMemo(
    () => (
      <>
        <ContextPanel {...props} />
        <g transform={`translate(${gutter} ${contextHeight + 8})`}>
          <Lanes {...props} />
          <TimeAxis {...props} top={lanesHeight} />
        </g>
      </>
    ),
    [timeline, width, gutter, spread, session.window],
  );
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={pageSentences.timeline(session.calls, tokens, durationText(timeline.lastMs))}
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      {still}
      <g transform={`translate(${gutter} ${contextHeight + 8})`}>
        {pointed && (
          <line
            class="pointer"
            x1={pointed.x}
            x2={pointed.x}
            y1={-contextHeight - 8}
            y2={lanesHeight}
          />
        )}
      </g>
    </svg>
  );
}

function Lanes({ timeline, width, gutter }: DrawingProps) {
  const isDense = timeline.placed.length > width / 2;
  return (
    <g>
      {timeline.lanes.map((lane, at) => (
        <g key={lane.tool ?? "\n"}>
          <line
            class="lane-line"
            x1={-gutter}
            x2={width - gutter}
            y1={(at + 1) * laneHeight}
            y2={(at + 1) * laneHeight}
          />
          <text class="lane-name" x={-gutter} y={at * laneHeight + 19}>
            {lane.tool === null
              ? pageSentences.otherTools(lane.tools)
              : shortName(lane.tool, Math.max(6, Math.floor(gutter / 7.6)))}
          </text>
          {looks.map((look) =>
            lane.paths[look] === undefined ? null : (
              <path
                key={look}
                class={`call call-${look}${isDense ? " dense" : ""}`}
                d={lane.paths[look]}
              />
            ),
          )}
        </g>
      ))}
    </g>
  );
}

function ContextPanel({ timeline, session, width, gutter }: DrawingProps) {
  const y = (tokens: number): number =>
    contextHeight - (tokens / timeline.contextTop) * contextHeight;
  const isWindowShown = session.window > 0 && session.window <= timeline.contextTop;
  return (
    <g transform={`translate(${gutter} 0)`}>
      {countTicks(timeline.contextTop, 4).map(({ value, label }) => (
        <g key={value}>
          <line class="grid" x1="0" x2={width - gutter} y1={y(value)} y2={y(value)} />
          {value > 0 && (
            <text class="axis end" x="-8" y={y(value) + 4}>
              {label}
            </text>
          )}
        </g>
      ))}
      <text class="axis" x={-gutter} y="12">
        context
      </text>
      <path class="context-area" d={timeline.area} />
      <path class="context-line" d={timeline.line} />
      {isWindowShown && (
        <g>
          <line
            class="window"
            x1="0"
            x2={width - gutter}
            y1={y(session.window)}
            y2={y(session.window)}
          />
          <text class="axis window-text" x="4" y={y(session.window) + 14}>
            window {compact(session.window)}
          </text>
        </g>
      )}
      {timeline.marks.map(({ key, mark, x }) => (
        <path key={key} class="mark" d={`M${x} 2l5 9h-10z`}>
          <title>{`${mark.alert.replaceAll("_", " ")}: ${safe(mark.detail)}`}</title>
        </path>
      ))}
    </g>
  );
}

function TimeAxis({ timeline, width, gutter, spread, top }: DrawingProps & { top: number }) {
  const room = width - gutter;
  const ticks =
    spread === "time"
      ? timeTicks(timeline.lastMs, Math.max(2, room / 110))
      : countTicks(timeline.placed.length, Math.max(2, room / 90));
  const most = spread === "time" ? timeline.lastMs : Math.max(1, timeline.placed.length);
  return (
    <g>
      {ticks.map(({ value, label }) => {
        const x = (value / most) * room;
        return (
          <text
            key={value}
            class={x > room - 30 ? "axis end" : value === 0 ? "axis" : "axis middle"}
            x={x}
            y={top + 16}
          >
            {label}
          </text>
        );
      })}
    </g>
  );
}
