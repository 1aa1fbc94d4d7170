import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../docs/grafana");

export type PanelValues = Readonly<Record<string, number>>;

export type Board = "otlp" | "otlp-delta" | "metrics";

type Panel = {
  readonly title: string;
  readonly datasource: object;
  readonly targets: readonly [
    { readonly expr: string; readonly legendFormat: string; readonly datasource: object },
  ];
};

export function readPanels(board: Board): readonly Panel[] {
  const text = readFileSync(join(folder, `mcp-meter-${board}.json`), "utf8");
  return (JSON.parse(text) as { readonly panels: readonly Panel[] }).panels;
}

export function fillVariables(expr: string, interval: string): string {
  return expr
    .replaceAll("$__range", "1h")
    .replaceAll("$__interval", interval)
    .replaceAll("$server", ".*");
}

/** The values of each panel for the hour before a moment, as the engine at this URL has them; without a moment, before now. */
export async function panelValues(
  url: string,
  board: Board,
  atMs?: number,
): Promise<Readonly<Record<string, PanelValues>>> {
  const values: Record<string, PanelValues> = {};
  for (const { title, targets } of readPanels(board)) {
    const [{ expr, legendFormat }] = targets;
    // Some engines cut the present moment to whole seconds, before the last points.
    const time = String(Math.ceil((atMs ?? Date.now()) / 1000) + (atMs === undefined ? 1 : 0));
    const body = new URLSearchParams({ query: fillVariables(expr, "1h"), time, nocache: "1" });
    const response = await fetch(`${url}/api/v1/query`, { method: "POST", body });
    const answer: QueryAnswer = JSON.parse(await response.text());
    if (answer.status !== "success") throw new Error(`${title}: ${JSON.stringify(answer)}`);
    values[title] = Object.fromEntries(
      answer.data.result.map(({ metric, value }: Sample) => [
        legendFormat
          .replaceAll(/\{\{(\w+)\}\}/g, (_all, label: string) => metric[label] ?? "")
          .trimEnd(),
        Math.round(Number(value[1]) * 1e6) / 1e6,
      ]),
    );
  }
  return values;
}

type QueryAnswer = {
  readonly status: string;
  readonly data: { readonly result: readonly Sample[] };
};

type Sample = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
};
