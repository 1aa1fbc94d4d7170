// Every query of the dashboard, by a real Prometheus that scrapes the text of `metrics`.
import { expect, test } from "bun:test";
import { FleetMetrics } from "#telemetry/fleet-metrics.ts";
import { prometheusText } from "#telemetry/prometheus-text.ts";
import { sumModes } from "../../../scripts/grafana/panels.ts";
import { Folder } from "../../support/folder.ts";
import {
  breachRecord,
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../support/made-records.ts";
import { has } from "../../support/needs.ts";
import { panelValues } from "../../support/panel-queries.ts";
import { freePort } from "../../support/free-port.ts";

const hasPrometheus = has("prometheus", "the queries of the dashboard");

function scrapedText(): string {
  const fleet = new FleetMetrics();
  const tools = [toolDefinition("a", 100), toolDefinition("b", 200)];
  const list = { tools, total_tokens: 300, resident_tokens: 300 };
  const failed = {
    input_tokens: 5,
    output_tokens: 20,
    duration_ms: 700,
    outcome: "tool_error",
  } as const;
  const records = [
    sessionRecord(),
    definitionsRecord(list),
    ...[1, 2, 3].map(() => callRecord({ tool: "a", input_tokens: 10, output_tokens: 100 })),
    callRecord({ tool: "b", ...failed }),
    ...[1, 2].map(() => breachRecord({ budget: "2M/day", tool: "b", action: "error" })),
  ];
  for (const record of records) fleet.take(record);
  fleet.addBudget({ server: "garden", budget: "2M/day", share: 0.9 });
  return prometheusText(fleet.readings());
}

const byTool = { a: 330, b: 25 };

/** By hand: the 95th percentile of a histogram lies at 95 % of the way through the only bucket that is used. */
const expected = {
  Tokens: { tokens: 655 },
  Calls: { calls: 4 },
  Errors: { errors: 0.25 },
  "Calls over budget": { breaches: 2 },
  "Tokens by tool": byTool,
  "Tokens by part": { "garden arguments": 35, "garden result": 320, "garden definitions": 300 },
  "Tokens over time": byTool,
  "Size of calls, p95": { a: 246.4, b: 61.6 },
  "Duration of calls, p95": { a: 0.0195, b: 0.975 },
  "Errors by tool": { b: 1 },
  Budgets: { "garden 2M/day": 0.9 },
  "Calls over budget, by budget": { "2M/day error": 2 },
  Definitions: { garden: 300 },
};

test.if(hasPrometheus)("each panel has the values of known traffic", async () => {
  using folder = new Folder();
  const headers = { "content-type": "text/plain; version=0.0.4" };
  const text = scrapedText();
  const target = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(text, { headers }),
  });
  const job = {
    job_name: "mcp-meter",
    static_configs: [{ targets: [`127.0.0.1:${target.port}`] }],
  };
  const config = {
    global: { scrape_interval: "200ms", scrape_timeout: "200ms" },
    scrape_configs: [job],
  };
  const file = folder.file("prometheus.json", JSON.stringify(config));
  const url = `http://127.0.0.1:${freePort()}`;
  const options = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${folder.at("data")}`,
    `--web.listen-address=${url.slice(7)}`,
  ];
  const prometheus = Bun.spawn(["prometheus", ...options], { stdout: "ignore", stderr: "ignore" });
  try {
    await untilScraped(url);
    expect(await panelValues(url, "last_over_time")).toEqual(expected);
    for (const { value } of sumModes) {
      expect(Object.keys(await panelValues(url, value))).toEqual(Object.keys(expected));
    }
  } finally {
    prometheus.kill("SIGKILL");
    await prometheus.exited;
    await target.stop(true);
  }
});

async function untilScraped(url: string): Promise<void> {
  const query = `${url}/api/v1/query?query=mcp_meter_tokens_total`;
  for (let tries = 0; tries < 600; tries++) {
    const text = await fetch(query).then(
      (response) => response.text(),
      () => "",
    );
    if (text.includes('"gen_ai_tool_name"')) return;
    await Bun.sleep(50);
  }
  throw new Error("Prometheus has scraped nothing");
}
