// Real sessions in a real Prometheus, and its rules about them. Debian's has no receiver of OTLP, so vmagent is between them; that is in the
// package victoria-metrics of Debian sid, so this is the long form, not the gate's.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Folder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { has } from "../support/needs.ts";
import { startPrometheus } from "../support/prometheus.ts";
import { legacy } from "../support/servers.ts";
import { eventually } from "../support/wait.ts";
import { legacyInput } from "./lines.ts";
import { type Home, makeHome, recordsIn, runMeter, waitMaxMs } from "./run.ts";

const engine = process.env["VICTORIA_METRICS"] ?? Bun.which("victoria-metrics");
const agent = Bun.which(engine ? join(dirname(engine), "vmagent") : "vmagent") ?? "";
if (agent === "") {
  console.warn(
    "vmagent is missing: real sessions in Prometheus not run; it is in the package victoria-metrics of Debian sid",
  );
}
const isThere = agent !== "" && has("prometheus", "real sessions in Prometheus");
const rules = join(import.meta.dir, "../../docs/prometheus");

/** A vmagent that hands OTLP on to a Prometheus; the URL for `--otlp`. */
async function handingOn(prometheus: string): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = new Folder();
  const address = `127.0.0.1:${freePort()}`;
  const options = [
    `-httpListenAddr=${address}`,
    `-remoteWrite.url=${prometheus}/api/v1/write`,
    `-remoteWrite.tmpDataPath=${folder.path}`,
    "-remoteWrite.flushInterval=200ms",
    "-opentelemetry.usePrometheusNaming",
  ];
  const child = Bun.spawn([agent, ...options], { stdout: "ignore", stderr: "ignore" });
  const health = () =>
    fetch(`http://${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; tries < 600 && !(await health()); tries += 1) await Bun.sleep(50);
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    folder[Symbol.dispose]();
  };
  return { url: `http://${address}/opentelemetry`, [Symbol.asyncDispose]: end };
}

/** Calls, failed ones and tokens of calls, by the records of all sessions. */
async function recorded(home: Home): Promise<readonly [number, number, number]> {
  const texts = await Promise.all(home.logs().map((file) => Bun.file(file).text()));
  const calls = texts.flatMap(recordsIn).filter(({ type }) => type === "call");
  const failed = calls.filter(({ outcome }) => outcome !== "ok");
  const tokens = calls.reduce((sum, call) => sum + Number(call["total_tokens"]), 0);
  return [calls.length, failed.length, tokens];
}

test.if(isThere)(
  "the rules of the last hour have the calls and tokens of the records, and an hour later none",
  async () => {
    const home = makeHome();
    await using prometheus = await startPrometheus({
      rules: [join(rules, "mcp-meter-otlp.yml"), join(rules, "mcp-meter-alerts.yml")],
      flags: ["--web.enable-remote-write-receiver"],
    });
    await using vmagent = await handingOn(prometheus.url);
    const input = legacyInput([
      ["echo", { message: "hello" }],
      ["weather", { city: "Lisbon" }],
      ["fail", {}],
    ]);
    const options = ["--summary", "off", "--otlp", vmagent.url, "--", ...legacy().argv];
    const runs = [1, 2, 3].map(() => runMeter(home, options, { input }));
    for (const run of await Promise.all(runs)) expect(run).toMatchObject({ status: 0, stderr: "" });
    const [calls, failed, tokens] = await recorded(home);
    expect([calls, failed]).toEqual([9, 3]);
    const sums = [
      "sum(mcp_meter:calls:1h)",
      "sum(mcp_meter:errors:1h)",
      'sum(mcp_meter:tokens:1h{mcp_meter_part!="definitions"})',
    ];
    const read = () => Promise.all(sums.map((query) => prometheus.values(query)));
    let seen: readonly (readonly number[])[] = [];
    const reading = setInterval(() => void read().then((values) => (seen = values)), 200);
    await eventually(
      () => `${JSON.stringify(seen)} are ${calls}, ${failed} and ${tokens}`,
      () => JSON.stringify(seen) === JSON.stringify([[calls], [failed], [tokens]]),
    );
    clearInterval(reading);
    const text = await Bun.file(join(rules, "mcp-meter-otlp.yml")).text();
    const file = Bun.YAML.parse(text) as RuleFile;
    const later = file.groups.flatMap((group) => group.rules).map(({ expr }) => expr);
    const inAnHour = Date.now() + 3_660_000;
    for (const expr of later) expect(await prometheus.values(expr, inAnHour)).toEqual([]);
    expect(later).toHaveLength(3);
    home.remove();
  },
  waitMaxMs,
);

type RuleFile = {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
};
