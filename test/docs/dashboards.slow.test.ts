import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { has } from "../support/needs.ts";
import { exportsBefore, lastHour, otlpSamples, scrapedSamples } from "../support/panel-history.ts";
import {
  type Board,
  fillVariables,
  type PanelValues,
  panelValues,
  readPanels,
} from "../support/panel-queries.ts";
import { eventually } from "../support/wait.ts";

const hasPrometheus = has("prometheus", "the queries of the dashboards");

/** The end of the traffic: long ago, so that no clock matters. */
const endMs = Date.parse("2026-09-01T12:00:00Z");
const hourMs = 3_600_000;

const history = exportsBefore(endMs);
const samples: Readonly<Record<Board, () => string>> = {
  otlp: () => otlpSamples(history, "cumulative"),
  "otlp-delta": () => otlpSamples(history, "delta"),
  metrics: () => scrapedSamples(history, endMs),
};
const boards = Object.keys(samples) as readonly Board[];

test("docs/grafana has a dashboard for each way in which metrics come, with the data source of the page", () => {
  const files = readdirSync(join(import.meta.dir, "../../docs/grafana"));
  expect(files.toSorted()).toEqual(boards.map((board) => `mcp-meter-${board}.json`).toSorted());
  const chosen = { type: "prometheus", uid: "${datasource}" };
  for (const panel of boards.flatMap(readPanels)) {
    expect([panel.datasource, panel.targets[0].datasource]).toEqual([chosen, chosen]);
  }
});

test.if(hasPrometheus).each(boards)(
  "%s: each panel has what the last hour added, and nothing of it an hour later",
  async (board) => {
    await using prometheus = await startPrometheus(samples[board]());
    const values = await panelValues(prometheus.url, board, endMs);
    // A tool without calls in this hour may be there, with nothing.
    expect(values).toMatchObject(lastHour);
    expect(Object.keys(values)).toEqual(Object.keys(lastHour));
    expect(findGrown(await panelValues(prometheus.url, board, endMs + hourMs))).toEqual([]);
    expect(await sumSteps(prometheus.url, board)).toEqual({ a: 440, b: 250 });
  },
  60_000,
);

function findGrown(values: Readonly<Record<string, PanelValues>>): readonly string[] {
  const gauges = new Set(["Budgets", "Definitions"]);
  return Object.entries(values)
    .filter(([title, byLegend]) => !gauges.has(title) && Object.values(byLegend).some(Boolean))
    .map(([title]) => title);
}

async function sumSteps(url: string, board: Board): Promise<Record<string, number>> {
  const panel = readPanels(board).find(({ title }) => title === "Tokens over time");
  const body = new URLSearchParams({
    query: fillVariables(panel?.targets[0].expr ?? "", "10m"),
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

async function startPrometheus(text: string): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = new Folder();
  const data = folder.at("data");
  const blocks = ["tsdb", "create-blocks-from", "openmetrics", folder.file("samples.txt", text)];
  const made = Bun.spawnSync(["promtool", ...blocks, data]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const url = `http://127.0.0.1:${freePort()}`;
  const options = [
    `--config.file=${folder.file("prometheus.yml", "{}")}`,
    `--storage.tsdb.path=${data}`,
    "--storage.tsdb.retention.time=100y",
    `--web.listen-address=${url.slice("http://".length)}`,
  ];
  const child = Bun.spawn(["prometheus", ...options], { stdout: "ignore", stderr: "ignore" });
  const health = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually("Prometheus is ready", health);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
}
