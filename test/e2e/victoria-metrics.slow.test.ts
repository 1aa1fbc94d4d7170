import { afterEach, beforeEach, expect, test } from "bun:test";
import { Folder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { panelValues } from "../support/panel-queries.ts";
import { legacy } from "../support/servers.ts";
import { eventually } from "../support/wait.ts";
import { legacyInput } from "./lines.ts";
import { type Home, makeHome, recordsIn, runMeter, waitMaxMs } from "./run.ts";

const program = process.env["VICTORIA_METRICS"] ?? Bun.which("victoria-metrics");

const naming = "-opentelemetry.usePrometheusNaming";

const reason = findReason();
if (reason !== undefined) console.warn(`${reason}: sessions in VictoriaMetrics not run`);

function findReason(): string | undefined {
  if (!program) return "victoria-metrics is missing, name one in VICTORIA_METRICS";
  const { stdout, stderr } = Bun.spawnSync([program, "-help"]);
  return `${stdout.toString()}${stderr.toString()}`.includes(naming)
    ? undefined
    : `${program} has no ${naming}`;
}

let home: Home;
let engine: { readonly url: string; readonly end: () => Promise<void> };

beforeEach(async () => {
  if (reason !== undefined) return;
  home = makeHome();
  engine = await startEngine(program ?? "");
});

afterEach(async () => {
  if (reason !== undefined) return;
  await engine.end();
  home.remove();
});

async function startEngine(path: string): Promise<typeof engine> {
  const folder = new Folder();
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  const options = [
    `-httpListenAddr=${address}`,
    `-storageDataPath=${folder.path}`,
    "-search.latencyOffset=0s",
    naming,
  ];
  const child = Bun.spawn([path, ...options], { stdout: "ignore", stderr: "ignore" });
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
    folder[Symbol.dispose]();
  };
  const health = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually("VictoriaMetrics answers", health);
  return { url, end };
}

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["weather", { city: "Lisbon" }],
  ["fail", {}],
]);

async function playThree(env: Readonly<Record<string, string>>): Promise<void> {
  const budget = ["--budget", "echo=1/session:warn"];
  const options = [...budget, "--summary", "off", "--otlp", `${engine.url}/opentelemetry`];
  const runs = [1, 2, 3].map(() =>
    runMeter(home, [...options, "--", ...legacy().argv], { input, env }),
  );
  for (const { status } of await Promise.all(runs)) expect(status).toBe(0);
  await fetch(`${engine.url}/internal/force_flush`);
}

async function recordedTokens(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const file of home.logs()) {
    for (const { type, tool, total_tokens: tokens } of await recordsIn(
      await Bun.file(file).text(),
    )) {
      if (type === "call") sums[String(tool)] = (sums[String(tool)] ?? 0) + Number(tokens);
    }
  }
  return sums;
}

const delta = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" };

test.if(reason === undefined)(
  "three sessions at once, delta sums: the metrics arrive and add up to the records",
  async () => {
    await playThree(delta);
    const query = 'sum(sum_over_time(mcp_meter_tokens_total{mcp_method_name="tools/call"}[1h]))';
    const body = new URLSearchParams({ query, nocache: "1" });
    const answer = await fetch(`${engine.url}/api/v1/query`, { method: "POST", body });
    const tokens = Object.values(await recordedTokens()).reduce((sum, of) => sum + of, 0);
    expect(await answer.text()).toContain(`,"${tokens}"]`);
  },
  waitMaxMs,
);

test.if(reason === undefined)(
  "three sessions at once, cumulative sums: every panel has the numbers of the records",
  async () => {
    await playThree({});
    const values = await panelValues(engine.url, "otlp");
    const tokens = await recordedTokens();
    expect(values["Tokens by tool"]).toEqual(tokens);
    expect(values["Tokens over time"]).toEqual(tokens);
    expect(values["Calls"]).toEqual({ calls: 9 });
    expect(values["Errors"]).toEqual({ errors: 0.333333 });
    expect(values["Errors by tool"]).toEqual({ fail: 1 });
    for (const title of ["Duration of calls, p95", "Size of calls, p95"]) {
      expect(Object.keys(values[title] ?? {}).toSorted()).toEqual(Object.keys(tokens).toSorted());
    }
    expect(values["Calls over budget"]).toEqual({ breaches: 3 });
    expect(values["Definitions"]).toHaveProperty("legacy-fixture");
    const budgets = Object.keys(values["Budgets"] ?? {});
    expect(budgets).toEqual(["legacy-fixture echo=1/session:warn"]);
  },
  waitMaxMs,
);
