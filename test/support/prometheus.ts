import { Folder } from "./folder.ts";
import { freePort } from "./free-port.ts";

/** A Prometheus of a test's own on a free port of the loopback: `await using prometheus = await startPrometheus({})`. */
export type Prometheus = AsyncDisposable & {
  readonly url: string;
  /** The values of a query at a moment, or now, in the order of the engine. Throws for one that it rejects. */
  readonly values: (query: string, atMs?: number) => Promise<readonly number[]>;
};

export type PrometheusSetup = {
  /** Text in the form of OpenMetrics, with times: on its disk before it starts. */
  readonly samples?: string;
  /** Files of rules, which it evaluates every second. */
  readonly rules?: readonly string[];
  readonly flags?: readonly string[];
};

export async function startPrometheus(setup: PrometheusSetup): Promise<Prometheus> {
  const { samples, rules = [], flags = [] } = setup;
  const folder = new Folder();
  const data = folder.at("data");
  if (samples !== undefined) makeBlocks(folder.file("samples.txt", samples), data);
  const config = { global: { evaluation_interval: "1s" }, rule_files: rules };
  const url = `http://127.0.0.1:${freePort()}`;
  const options = [
    `--config.file=${folder.file("prometheus.yml", JSON.stringify(config))}`,
    `--storage.tsdb.path=${data}`,
    "--storage.tsdb.retention.time=100y",
    `--web.listen-address=${url.slice(7)}`,
    ...flags,
  ];
  const child = Bun.spawn(["prometheus", ...options], { stdout: "ignore", stderr: "ignore" });
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    folder[Symbol.dispose]();
  };
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isReady(url)) {
      return {
        url,
        values: (query, atMs) => valuesAt(url, query, atMs),
        [Symbol.asyncDispose]: end,
      };
    }
    await Bun.sleep(50);
  }
  await end();
  throw new Error("Prometheus does not answer");
}

function makeBlocks(file: string, data: string): void {
  const made = Bun.spawnSync(["promtool", "tsdb", "create-blocks-from", "openmetrics", file, data]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

type Answer = {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
};

async function valuesAt(url: string, query: string, atMs = Date.now()): Promise<readonly number[]> {
  const body = new URLSearchParams({ query, time: String(atMs / 1000) });
  const text = await (await fetch(`${url}/api/v1/query`, { method: "POST", body })).text();
  const answer: Answer = JSON.parse(text);
  if (answer.status !== "success") throw new Error(text);
  return answer.data.result.map(({ value }) => Number(value[1]));
}
