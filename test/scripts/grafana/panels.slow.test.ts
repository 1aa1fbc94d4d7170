// Every query of the dashboards, by a real Prometheus that has hours of known traffic.
import { expect, test } from "bun:test";
import { panelsFor, ways } from "../../../scripts/grafana/panels.ts";
import { has } from "../../support/needs.ts";
import {
  exportsBefore,
  lastHour,
  otlpSamples,
  scrapedSamples,
} from "../../support/panel-history.ts";
import { grownPanels, panelValues } from "../../support/panel-queries.ts";
import { startPrometheus } from "../../support/prometheus.ts";

const hasPrometheus = has("prometheus", "the queries of the dashboard");

/** The end of the traffic: long ago, so that no clock matters. */
const endMs = Date.parse("2026-09-01T12:00:00Z");
const hourMs = 3_600_000;

const history = exportsBefore(endMs);
const samples: Readonly<Record<string, () => string>> = {
  otlp: () => otlpSamples(history, "cumulative"),
  "otlp-delta": () => otlpSamples(history, "delta"),
  metrics: () => scrapedSamples(history, endMs),
};

test.if(hasPrometheus).each(ways.map((way) => [way.id, way] as const))(
  "%s: each panel has what the last hour added, and nothing of it an hour later",
  async (id, way) => {
    await using prometheus = await startPrometheus({ samples: samples[id]?.() ?? "" });
    const values = await panelValues(prometheus.url, way, endMs);
    // A tool without calls in this hour may be there, with nothing.
    expect(values).toMatchObject(lastHour);
    expect(Object.keys(values)).toEqual(Object.keys(lastHour));
    expect(grownPanels(await panelValues(prometheus.url, way, endMs + hourMs))).toEqual([]);
    expect(await stepsOf(prometheus.url, way)).toEqual({ a: 440, b: 250 });
  },
  60_000,
);

/** The bars of "Tokens over time" added up, over all of the traffic in steps of ten minutes. */
async function stepsOf(url: string, way: (typeof ways)[number]): Promise<Record<string, number>> {
  const panel = panelsFor(way).find(({ title }) => title === "Tokens over time");
  const expr = panel?.expr.replaceAll("$__interval", "10m").replaceAll("$server", ".*") ?? "";
  const body = new URLSearchParams({
    query: expr,
    // Without the export of the beginning: "metrics" has no value before it.
    start: String(endMs / 1000 - 4.5 * 3_600),
    end: String(endMs / 1000),
    step: "10m",
  });
  const answer = (await (
    await fetch(`${url}/api/v1/query_range`, { method: "POST", body })
  ).json()) as RangeAnswer;
  return Object.fromEntries(
    answer.data.result.map(({ metric, values }) => [
      metric["gen_ai_tool_name"] ?? "",
      Math.round(values.reduce((sum, [, value]) => sum + Number(value), 0)),
    ]),
  );
}

type RangeAnswer = {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
};
