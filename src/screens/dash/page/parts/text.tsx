import { cutName, signed, tokenText } from "../format.ts";

export function Tokens(props: { count: number; isEstimate: boolean; isShort?: boolean }) {
  const { count, isEstimate, isShort = false } = props;
  return (
    <data
      value={String(count)}
      class={count === 0 ? "zero" : undefined}
      title={isShort ? tokenText(count, isEstimate) : undefined}
    >
      {tokenText(count, isEstimate, isShort)}
    </data>
  );
}

/** Zero is quiet, so that other numbers stand out. */
export function Count(props: { count: number; tone?: "bad" | "warn" | undefined }) {
  const { count, tone } = props;
  return (
    <data value={String(count)} class={count === 0 ? "zero" : tone}>
      {signed(count)}
    </data>
  );
}

/** Isolates text that runs from right to left. A long name is shortened by style only: it is read out and copied whole. */
export function Name(props: { text: string; charactersMax?: number }) {
  const { text, charactersMax = 48 } = props;
  if (text === "") return <span class="zero">(no name)</span>;
  const [start, end] = cutName(text, charactersMax);
  if (end === "") return <bdi class="name">{start}</bdi>;
  return (
    <bdi class="name long" title={start + end} style={{ maxWidth: `${charactersMax + 0.4}ch` }}>
      <span class="name-start">{start}</span>
      <span>{end}</span>
    </bdi>
  );
}

export function Swatch(props: { look: string }) {
  return (
    <svg class="swatch" width="9" height="9" aria-hidden="true">
      <rect class={props.look} width="9" height="9" rx="2" />
    </svg>
  );
}

const barWidth = 52;

/** The largest of the table is as long as the cell is wide. */
export function ShareBar(props: { share: number; most: number; look: string }) {
  const { share, most, look } = props;
  const width = most === 0 ? 0 : Math.max(share > 0 ? 2 : 0, (share / most) * barWidth);
  return (
    <svg class="share-bar" width={barWidth} height="8" aria-hidden="true">
      <rect class={look} width={width} height="8" rx="2" />
    </svg>
  );
}
