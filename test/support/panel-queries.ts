import { panels, type PanelSpec } from "../../scripts/grafana/panels.ts";

/** A query of a panel as Grafana would send it, for all servers and one hour. */
function panelQuery({ expr }: PanelSpec, sums: string): string {
  return expr
    .replaceAll("$sums", sums)
    .replaceAll("$__range", "1h")
    .replaceAll("$__interval", "1h")
    .replaceAll("$server", ".*");
}

/** The values of each panel by its legend, as the engine at this URL has them now. Throws for a query that it rejects. */
export async function panelValues(
  url: string,
  sums: string,
): Promise<Record<string, Record<string, number>>> {
  const values: Record<string, Record<string, number>> = {};
  for (const panel of panels) {
    // Some engines cut the present moment to whole seconds, before the last points.
    const time = String(Math.ceil(Date.now() / 1000) + 1);
    const body = new URLSearchParams({ query: panelQuery(panel, sums), time });
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

type QueryAnswer = {
  readonly status: string;
  readonly data: { readonly result: readonly Sample[] };
};

type Sample = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
};
