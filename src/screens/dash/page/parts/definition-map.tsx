import type { DefinitionRow, ViewRows } from "../../view.ts";
import { compact, safe, shortName, tokenText } from "../format.ts";
import { useMemo } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { layTreemap, type Tile } from "../layouts.ts";
import { Swatch, useWidth } from "./text.tsx";

const parts = [
  ["schema", "input schema"],
  ["description", "description"],
  ["name", "name"],
] as const;

export function DefinitionMap(props: {
  rows: ViewRows<DefinitionRow>;
  isEstimate: boolean;
  onPick: (row: DefinitionRow) => void;
}) {
  const { rows, isEstimate, onPick } = props;
  const [place, width] = useWidth();
  const height = width < 600 ? 300 : 340;
  const tiles = useMemo(() => layTreemap(rows, { width, height }), [rows, width, height]);
  const total = Object.values(rows).reduce((sum, { tokens }) => sum + tokens, 0);
  const text = pageSentences.treemap(Object.keys(rows).length, tokenText(total, isEstimate));
  return (
    <section class="block" aria-labelledby="map-title">
      <div class="block-head">
        <h2 id="map-title">Map</h2>
        <ul class="legend compact">
          {parts.map(([part, label]) => (
            <li key={part}>
              <Swatch look={`part-${part}`} /> {label}
            </li>
          ))}
          <li>
            <Swatch look="part-idle" /> never called
          </li>
        </ul>
      </div>
      <div class="map" ref={place}>
        <svg width={width} height={height} role="img" aria-label={text}>
          {tiles.map((tile) => (
            <TileDrawing key={tile.key} tile={tile} isEstimate={isEstimate} onPick={onPick} />
          ))}
        </svg>
      </div>
    </section>
  );
}

function TileDrawing(props: {
  tile: Tile;
  isEstimate: boolean;
  onPick: (row: DefinitionRow) => void;
}) {
  const { tile, isEstimate, onPick } = props;
  const { box, row } = tile;
  const characters = Math.floor((box.width - 12) / 7.4);
  const isNamed = box.height >= 22 && characters >= 4;
  return (
    <g class={row.calls === 0 ? "tile idle" : "tile"} onClick={() => onPick(row)}>
      <title>{titleOf(row, isEstimate)}</title>
      {tile.parts.map(({ part, box: { x, y, width, height } }) => (
        <rect key={part} class={`part-${part}`} x={x} y={y} width={width} height={height} />
      ))}
      {isNamed && (
        <text class="tile-name" x={box.x + 7} y={box.y + 17}>
          {shortName(row.name, characters)}
        </text>
      )}
      {isNamed && box.height >= 40 && (
        <text class="tile-tokens" x={box.x + 7} y={box.y + 33}>
          {isEstimate ? "~" : ""}
          {compact(row.tokens)}
        </text>
      )}
    </g>
  );
}

function titleOf(row: DefinitionRow, isEstimate: boolean): string {
  const tokens = (count: number): string => tokenText(count, isEstimate);
  const calls = row.calls === 0 ? "never called" : `called ${row.calls} times`;
  return `${safe(row.name)}: ${tokens(row.tokens)} tokens (name ${tokens(row.name_tokens)}, description ${tokens(row.description_tokens)}, schema ${tokens(row.schema_tokens)}), ${calls}`;
}
