import { panelsFor, type PanelSpec, type Way } from "../../scripts/grafana/panels.ts";

/** Values of a panel by its legend. */
export type PanelValues = Readonly<Record<string, number>>;

/** The query of a panel as Grafana would send it, for all servers and one hour. */
function panelQuery({ expr }: PanelSpec): string {
  return expr
    .replaceAll("$__range", "1h")
    .replaceAll("$__interval", "1h")
    .replaceAll("$server", ".*");
}

/**
 * The values of each panel for the hour before a moment, as the engine at this URL has them; without a moment, before now. Throws for
 * a query that it rejects.
 */
export async function panelValues(
  url: string,
  way: Way,
  atMs?: number,
): Promise<Readonly<Record<string, PanelValues>>> {
  const values: Record<string, PanelValues> = {};
  for (const panel of panelsFor(way)) {
    // Some engines cut the present moment to whole seconds, before the last points.
    const time = String(Math.ceil((atMs ?? Date.now()) / 1000) + (atMs === undefined ? 1 : 0));
    const body = new URLSearchParams({ query: panelQuery(panel), time, nocache: "1" });
    const response = await fetch(`${url}/api/v1/query`, { method: "POST", body });
    const answer: QueryAnswer = JSON.parse(await response.text());
    if (answer.status !== "success") throw new Error(`${panel.title}: ${JSON.stringify(answer)}`);
    values[panel.title] = Object.fromEntries(
      answer.data.result.map(({ metric, value }: Sample) => [
        panel.legend.replaceAll(/\{\{(\w+)\}\}/g, (_all, label: string) => metric[label] ?? ""),
        Math.round(Number(value[1]) * 1e6) / 1e6,
      ]),
    );
  }
  return values;
}

/** The panels in which anything has grown: those of counters with a value that is neither 0 nor missing. */
export function grownPanels(values: Readonly<Record<string, PanelValues>>): readonly string[] {
  const gauges = new Set(["Budgets", "Definitions"]);
  return Object.entries(values)
    .filter(([title, byLegend]) => !gauges.has(title) && Object.values(byLegend).some(Boolean))
    .map(([title]) => title);
}

type QueryAnswer = {
  readonly status: string;
  readonly data: { readonly result: readonly Sample[] };
};

type Sample = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
};
