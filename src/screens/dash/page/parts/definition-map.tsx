import type { DefinitionRow, ViewRows } from "../../view.ts";
import { formatCompact, escapeText, shortenName, formatTokens } from "../format.ts";
import { useMemo } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { layOutTreemap, type Tile } from "../layouts.ts";
import { Swatch, useWidth } from "./text.tsx";

const fieldLabels = [
  ["schema", "input schema"],
  ["description", "description"],
  ["name", "name"],
] as const;

export function DefinitionMap(props: {
  rows: ViewRows<DefinitionRow>;
  isEstimated: boolean;
  onPick: (row: DefinitionRow) => void;
}) {
  const { rows, isEstimated, onPick } = props;
  const [container, width] = useWidth();
  const height = width < 600 ? 300 : 340;
  const tiles = useMemo(() => layOutTreemap(rows, { width, height }), [rows, width, height]);
  const total = Object.values(rows).reduce((sum, { tokens }) => sum + tokens, 0);
  const text = pageSentences.treemap(Object.keys(rows).length, formatTokens(total, isEstimated));
  return (
    <section class="block" aria-labelledby="map-title">
      <div class="block-head">
        <h2 id="map-title">Map</h2>
        <ul class="legend compact">
          {fieldLabels.map(([field, label]) => (
            <li key={field}>
              <Swatch fillClass={`part-${field}`} /> {label}
            </li>
          ))}
          <li>
            <Swatch fillClass="part-idle" /> never called
          </li>
        </ul>
      </div>
      <div class="map" ref={container}>
        <svg width={width} height={height} role="img" aria-label={text}>
          {tiles.map((tile) => (
            <TileDrawing key={tile.key} tile={tile} isEstimated={isEstimated} onPick={onPick} />
          ))}
        </svg>
      </div>
    </section>
  );
}

function TileDrawing(props: {
  tile: Tile;
  isEstimated: boolean;
  onPick: (row: DefinitionRow) => void;
}) {
  const { tile, isEstimated, onPick } = props;
  const { box, row } = tile;
  const characters = Math.floor((box.width - 12) / 7.4);
  const isNamed = box.height >= 22 && characters >= 4;
  return (
    <g class={row.calls === 0 ? "tile idle" : "tile"} onClick={() => onPick(row)}>
      <title>{describeTool(row, isEstimated)}</title>
      {tile.fields.map(({ field, box: { x, y, width, height } }) => (
        <rect key={field} class={`part-${field}`} x={x} y={y} width={width} height={height} />
      ))}
      {isNamed && (
        <text class="tile-name" x={box.x + 7} y={box.y + 17}>
          {shortenName(row.name, characters)}
        </text>
      )}
      {isNamed && box.height >= 40 && (
        <text class="tile-tokens" x={box.x + 7} y={box.y + 33}>
          {isEstimated ? "~" : ""}
          {formatCompact(row.tokens)}
        </text>
      )}
    </g>
  );
}

function describeTool(row: DefinitionRow, isEstimated: boolean): string {
  const format = (count: number): string => formatTokens(count, isEstimated);
  const calls =
    row.calls === 0
      ? "never called"
      : row.calls === 1
        ? "called once"
        : `called ${row.calls} times`;
  return `${escapeText(row.name)}: ${format(row.tokens)} tokens (name ${format(row.name_tokens)}, description ${format(row.description_tokens)}, schema ${format(row.schema_tokens)}), ${calls}`;
}
