import {
  mayHaveEstimates,
  type MarkRow,
  type SessionDetails,
  type SessionView,
  type ViewRows,
} from "../../view.ts";
import { formatCompact } from "#kit/text/numbers.ts";
import { formatElapsed } from "#kit/text/durations.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { shortenName, formatTokens } from "../format.ts";
import { useMemo, useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import {
  layOutTimeline,
  makeCountTicks,
  makeTimeTicks,
  type Spread,
  type TimelinePoint,
  findNearestCall,
  pickSpread,
  type CallStyle,
  type Timeline,
} from "../timeline.ts";
import { OutcomeText } from "./columns.tsx";
import { OutcomeLegend, Segments, useWidth } from "./elements.tsx";

const lanesMax = 8;

const spreads = [
  ["time", "by time"],
  ["order", "by order"],
] as const;

export function SessionTimeline({ view, session }: { view: SessionView; session: SessionDetails }) {
  const [chosen, setSpread] = useState<Spread>();
  const [pointed, setPointed] = useState<TimelinePoint>();
  const [container, width] = useWidth();
  const gutter = Math.min(170, Math.round(width * 0.28));
  const { calls, marks } = view.tables;
  const spread = chosen ?? pickSpread(Object.values(calls));
  const definitionTokens = view.head.row?.resident_tokens ?? 0;
  const timeline = useMemo(
    () =>
      layOutTimeline(
        Object.values(calls),
        Object.entries(marks),
        { definitionTokens, window: session.window },
        {
          width: Math.max(1, width - gutter - 4),
          contextHeight,
          laneHeight,
          lanes: lanesMax,
          spread,
        },
      ),
    [calls, marks, definitionTokens, session.window, width, spread],
  );
  const isEstimated = mayHaveEstimates(view.head);
  return (
    <section class="block" aria-labelledby="timeline-title">
      <div class="block-head">
        <h2 id="timeline-title">Timeline</h2>
        <Segments
          label="arrange calls"
          options={spreads}
          picked={spread}
          isSmall
          onPick={setSpread}
        />
        <OutcomeLegend hasAlerts={Object.keys(marks).length > 0} />
        <p class="readout">
          {pointed ? (
            <CallReadout point={pointed} isEstimated={isEstimated} />
          ) : (
            <span class="hint">{pageSentences.timelineHint}</span>
          )}
        </p>
      </div>
      <div class="timeline" ref={container}>
        {width > 0 && (
          <TimelineDrawing
            {...{ timeline, session, width, gutter, spread, pointed, isEstimated, setPointed }}
          />
        )}
      </div>
      <Alerts marks={marks} />
    </section>
  );
}

function CallReadout({
  point: { call },
  isEstimated,
}: {
  point: TimelinePoint;
  isEstimated: boolean;
}) {
  return (
    <>
      <b>{shortenName(call.tool, 32)}</b> {formatTokens(call.total_tokens, isEstimated)} tokens at{" "}
      {formatElapsed(call.offset_ms)} <OutcomeText outcome={call.outcome} />
    </>
  );
}

function Alerts({ marks }: { marks: ViewRows<MarkRow> }) {
  const rows = Object.values(marks).toSorted((a, b) => a.seq - b.seq);
  if (rows.length === 0) return null;
  return (
    <details class="numbers">
      <summary>Alerts ({rows.length})</summary>
      <ul class="alerts">
        {rows.map((mark) => (
          <li key={mark.seq}>
            <span class="alert-time">{formatElapsed(mark.offset_ms)}</span>{" "}
            <b>{mark.alert.replaceAll("_", " ")}</b>
            {mark.tool !== null && ` ${shortenName(mark.tool, 40)}`}: {escapeUnsafe(mark.detail)}
          </li>
        ))}
      </ul>
    </details>
  );
}

const contextHeight = 132;
const laneHeight = 30;
const axisHeight = 22;
const axisTextHeight = 10;

const callStyles: readonly CallStyle[] = ["ok", "other", "refused", "error"];

type DrawingProps = {
  readonly timeline: Timeline;
  readonly session: SessionDetails;
  readonly width: number;
  readonly gutter: number;
  readonly spread: Spread;
  readonly pointed: TimelinePoint | undefined;
  readonly isEstimated: boolean;
  readonly setPointed: (point: TimelinePoint | undefined) => void;
};

function TimelineDrawing(props: DrawingProps) {
  const { timeline, session, width, gutter, spread, pointed, isEstimated, setPointed } = props;
  const lanesHeight = timeline.lanes.length * laneHeight;
  const height = contextHeight + 8 + lanesHeight + axisHeight;
  const { points, lastMs } = timeline;
  const tokens = formatTokens(points.at(-1)?.call.context_tokens ?? 0, isEstimated);
  const handlePointerMove = (event: PointerEvent & { currentTarget: SVGSVGElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top - contextHeight - 8) / laneHeight);
    const isLane = lane >= 0 && lane < timeline.lanes.length;
    const x = event.clientX - box.left - gutter;
    setPointed(findNearestCall(timeline.points, x, isLane ? lane : undefined));
  };
  // Memoized, so that a pointer move renders only the pointer line again.
  const drawing = useMemo(
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
      aria-label={pageSentences.timeline(points.length, tokens, formatElapsed(lastMs))}
      onPointerMove={handlePointerMove}
      onPointerLeave={() => setPointed(undefined)}
    >
      {drawing}
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
  const isDense = timeline.points.length > width / 2;
  return (
    <g>
      {timeline.lanes.map((lane, index) => (
        <g key={lane.tool ?? "\n"}>
          <line
            class="lane-line"
            x1={-gutter}
            x2={width - gutter}
            y1={(index + 1) * laneHeight}
            y2={(index + 1) * laneHeight}
          />
          <text class="lane-name" x={-gutter} y={index * laneHeight + 19}>
            {lane.tool === null
              ? pageSentences.otherTools(lane.tools)
              : shortenName(lane.tool, Math.max(6, Math.floor(gutter / 7.6)))}
          </text>
          {callStyles.map((style) =>
            lane.paths[style] === undefined ? null : (
              <path
                key={style}
                class={`call call-${style}${isDense ? " dense" : ""}`}
                d={lane.paths[style]}
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
      {makeCountTicks(timeline.contextTop, 4).map(({ value, label }) => (
        <g key={value}>
          <line class="grid" x1="0" x2={width - gutter} y1={y(value)} y2={y(value)} />
          {value > 0 && (
            <text class="axis end" x="-8" y={Math.max(axisTextHeight, y(value) + 4)}>
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
            window {formatCompact(session.window)}
          </text>
        </g>
      )}
      {timeline.marks.map(({ key, mark, x }) => (
        <path key={key} class="mark" d={`M${x} 2l5 9h-10z`}>
          <title>{`${mark.alert.replaceAll("_", " ")}: ${escapeUnsafe(mark.detail)}`}</title>
        </path>
      ))}
    </g>
  );
}

function TimeAxis({ timeline, width, gutter, spread, top }: DrawingProps & { top: number }) {
  const room = width - gutter;
  const ticks =
    spread === "time"
      ? makeTimeTicks(timeline.lastMs, Math.min(10, Math.max(2, room / 68)))
      : makeCountTicks(timeline.points.length, Math.max(2, room / 90));
  const maxValue = spread === "time" ? timeline.lastMs : Math.max(1, timeline.points.length);
  return (
    <g>
      {ticks.map(({ value, label }) => {
        const x = (value / maxValue) * room;
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
