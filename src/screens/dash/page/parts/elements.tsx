import type { Measures } from "#history/reports/usage-report.ts";
import { formatDollarRange, formatInteger, formatSmallShare } from "#kit/text/numbers.ts";
import { formatAddress, openScreen } from "../address.ts";
import { choice, isNarrow } from "../state.ts";
import { splitName, formatTokens } from "../format.ts";
import { type ComponentChildren, useEffect, useLayoutEffect, useRef, useState } from "../preact.ts";
import type { CallStyle } from "../timeline.ts";

type TokensProps = { count: number; isEstimated: boolean; isShort?: boolean };

export function Tokens({ count, isEstimated, isShort = false }: TokensProps) {
  return (
    <data
      value={String(count)}
      class={count === 0 ? "zero" : undefined}
      title={isShort ? formatTokens(count, isEstimated) : undefined}
    >
      {formatTokens(count, isEstimated, isShort)}
    </data>
  );
}

export function makeTokensRenderer(isEstimated: boolean) {
  return (count: number | null) =>
    count === null ? "–" : <Tokens count={count} isEstimated={isEstimated} isShort />;
}

export function Count({ count, tone }: { count: number; tone?: "bad" | "warn" | undefined }) {
  return (
    <data value={String(count)} class={count === 0 ? "zero" : tone}>
      {formatInteger(count)}
    </data>
  );
}

type ShownName = {
  readonly text: string;
  readonly charactersMax?: number | undefined;
  /** Limits `charactersMax` on a narrow page. */
  readonly narrowMax?: number | undefined;
};

function splitForPage({ text, charactersMax = 48, narrowMax = 19 }: ShownName) {
  const shownMax = isNarrow.value ? Math.min(charactersMax, narrowMax) : charactersMax;
  const [start, end] = splitName(text, shownMax);
  return { start, end, shownMax };
}

// `bdi` isolates right-to-left names. CSS shortens the name, so that users can still copy all of it.
export function Name(props: ShownName) {
  if (props.text === "") return <span class="zero">(no name)</span>;
  const { start, end, shownMax } = splitForPage(props);
  if (end === "") return <bdi class="name">{start}</bdi>;
  const startMax = `calc(100% - ${Array.from(end).length}ch)`;
  return (
    <bdi class="name long" title={start + end} style={{ maxWidth: `${shownMax + 0.4}ch` }}>
      <span class="name-start" style={{ maxWidth: startMax }}>
        {start}
      </span>
      <span>{end}</span>
    </bdi>
  );
}

type LinkedName = Omit<ShownName, "text"> & {
  readonly server: string;
  readonly tool?: string | null;
  readonly text?: string;
};

export function NameLink({ server, tool = null, text = tool ?? server, ...limits }: LinkedName) {
  const target =
    tool === null
      ? openScreen(choice.value, "definitions", { server })
      : openScreen(choice.value, "tool", { server, tool });
  const { start, end } = splitForPage({ text, ...limits });
  return (
    // Without the label, screen readers would pause between the two parts of a shortened name.
    <a href={formatAddress(target)} aria-label={end === "" ? undefined : start + end}>
      <Name text={text} {...limits} />
    </a>
  );
}

export function Swatch(props: { fillClass: string }) {
  return (
    <svg class="swatch" width="9" height="9" aria-hidden="true">
      <rect class={props.fillClass} width="9" height="9" rx="2" />
    </svg>
  );
}

const barWidth = 52;

type ShareBarProps = { share: number; max: number; fillClass: string };

export function ShareBar({ share, max, fillClass }: ShareBarProps) {
  const width = max === 0 ? 0 : Math.max(share > 0 ? 2 : 0, (share / max) * barWidth);
  return (
    <svg class="share-bar" width={barWidth} height="8" aria-hidden="true">
      <rect class={fillClass} width={width} height="8" rx="2" />
    </svg>
  );
}

type Figure = {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly isMain?: boolean;
  readonly tone?: "bad" | "warn" | undefined;
};

export function listOutcomeFigures(measures: Measures, isEstimated: boolean): Figure[] {
  const { calls, errors, refused, withheld } = measures;
  const { repeated_calls: repeated, repeated_tokens: tokens } = measures;
  return [
    {
      label: "errors",
      value: <Count count={errors} tone="bad" />,
      note: errors > 0 && formatSmallShare(errors / calls),
    },
    { label: "refused", value: <Count count={refused} tone="warn" />, note: "by mcp-meter" },
    {
      label: "withheld",
      value: <Count count={withheld} tone="warn" />,
      note: "after the call ran",
    },
    {
      label: "repeated",
      value: <Count count={repeated} />,
      note: tokens > 0 && (
        <>
          <Tokens count={tokens} isEstimated={isEstimated} isShort /> tokens
        </>
      ),
    },
  ];
}

export function makeCostFigure({ cost_usd: cost }: Measures): Figure | false {
  return (
    cost !== undefined && {
      label: "cost",
      value: cost ? formatDollarRange(cost) : "unknown",
      note: cost ? "at list prices" : "no list price",
    }
  );
}

export function Figures(props: { figures: readonly (Figure | false | undefined)[] }) {
  return (
    <dl class="figures">
      {props.figures.map(
        (figure) =>
          figure && (
            <div key={figure.label} class={figure.isMain ? "figure main" : "figure"}>
              <dt>{figure.label}</dt>
              <dd class={figure.tone}>{figure.value}</dd>
              <dd class="note" aria-hidden={figure.note ? undefined : true}>
                {figure.note || "\u00a0"}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

const callStyleLabels: readonly (readonly [style: CallStyle, label: string])[] = [
  ["ok", "ok"],
  ["error", "error"],
  ["refused", "refused"],
  ["other", "cancelled, abandoned"],
];

export function OutcomeLegend({ hasAlerts }: { hasAlerts: boolean }) {
  return (
    <ul class="legend compact">
      {callStyleLabels.map(([style, label]) => (
        <li key={style}>
          <svg class="swatch" width="9" height="9" aria-hidden="true">
            <path class={`call-key call-${style}`} d="M4.5 0v9" />
          </svg>
          {label}
        </li>
      ))}
      {hasAlerts && (
        <li>
          <svg class="swatch" width="10" height="9" aria-hidden="true">
            <path class="mark" d="M5 0l5 9h-10z" />
          </svg>
          alert
        </li>
      )}
    </ul>
  );
}

const meterWidth = 140;
const warnShare = 0.7;
const badShare = 0.9;

export function BudgetMeter({ share, name }: { share: number; name: string }) {
  const percent = `${Math.round(share * 100)}%`;
  const shown = Math.min(share, 1);
  const isBad = share >= badShare;
  return (
    <span class="budget">
      <svg
        class="meter"
        width={meterWidth}
        height="8"
        role="meter"
        aria-label={name}
        aria-valuenow={shown}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuetext={percent}
      >
        <rect
          class={isBad ? "fill-bad" : share > warnShare ? "fill-warn" : "fill-good"}
          width={shown * meterWidth}
          height="8"
        />
      </svg>
      <span class={isBad ? "share bad" : "share"}>{percent}</span>
    </span>
  );
}

export function Segments<V extends string>(props: {
  label: string;
  options: readonly (readonly [value: V, label: string])[];
  picked: V | undefined;
  isSmall?: boolean;
  onPick: (value: V) => void;
}) {
  return (
    <div class={`segments ${props.isSmall ? "small" : ""}`} role="group" aria-label={props.label}>
      {props.options.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.picked}
          onClick={() => props.onPick(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

// Renders the calling component again every second, because it shows remaining times.
export function useTick(): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
}

export function Heading(props: { children: ComponentChildren; isHidden?: boolean }) {
  return (
    <h1 tabIndex={-1} class={props.isHidden ? "hidden" : undefined}>
      {props.children}
    </h1>
  );
}

// Measures the inner width of the box in whole pixels; 0 before the first layout.
export function useWidth(): readonly [box: { current: HTMLDivElement | null }, width: number] {
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      setWidth(Math.max(0, Math.floor(element.clientWidth - padding)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [container, width];
}
