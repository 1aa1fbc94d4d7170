import type { SessionView } from "../../view.ts";
import { compact, durationText, safe, shortName, tokenText } from "../format.ts";
import { useMemo } from "../preact.ts";
import { countTicks, timeTicks } from "../scales.ts";
import { pageSentences } from "../sentences.ts";
import {
  nearestCall,
  type CallLook,
  type Spread,
  type Timeline,
  type TimelinePoint,
} from "../timeline.ts";

export const contextHeight = 132;
export const laneHeight = 30;
const axisHeight = 22;

const looks: readonly CallLook[] = ["ok", "other", "refused", "error"];

type Session = NonNullable<SessionView["head"]["session"]>;

type DrawingProps = {
  readonly timeline: Timeline;
  readonly session: Session;
  readonly width: number;
  readonly gutter: number;
  readonly spread: Spread;
  readonly pointed: TimelinePoint | undefined;
  readonly isAbout: boolean;
  readonly setPointed: (placed: TimelinePoint | undefined) => void;
};

export function TimelineDrawing(props: DrawingProps) {
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
