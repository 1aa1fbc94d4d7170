import { compact, safe, shareText, tokenText } from "../format.ts";
import { pageSentences } from "../sentences.ts";
import { barParts } from "../stack.ts";
import { seriesLook } from "./series.ts";
import { Name, Swatch } from "./text.tsx";
import { useWidth } from "./use-width.ts";

export function Composition(props: {
  series: readonly string[];
  tokens: readonly number[];
  isEstimate: boolean;
}) {
  const { series, tokens, isEstimate } = props;
  const [place, width] = useWidth();
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const named = series.map((name, at) => ({ name, at, count: tokens[at] ?? 0 }));
  const parts = named.filter(({ count }) => count > 0);
  const texts = parts.map(({ name, count }) => `${safe(name)} ${shareText(count / total)}`);
  return (
    <div class="composition" ref={place}>
      <svg
        width={width}
        height="22"
        role="img"
        aria-label={pageSentences.composition(texts)}
        class="composition-bar"
      >
        {barParts(tokens, width).map(({ index, x, width: wide }) => (
          <rect
            key={index}
            class={seriesLook(index, series)}
            x={x}
            width={Math.max(1, wide - 2)}
            height="22"
          >
            <title>{`${safe(series[index] ?? "")}: ${tokenText(tokens[index] ?? 0, isEstimate)}`}</title>
          </rect>
        ))}
      </svg>
      <ul class="legend">
        {parts.map(({ name, at, count }) => (
          <li key={name}>
            <Swatch look={seriesLook(at, series)} />
            <Name text={name} charactersMax={28} />
            <span class="legend-number">
              {isEstimate ? "~" : ""}
              {compact(count)}
            </span>
            <span class="legend-share">{shareText(count / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
