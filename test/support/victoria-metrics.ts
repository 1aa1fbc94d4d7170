import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** A VictoriaMetrics of its own on a free port of the loopback, with an empty folder that goes with it. */
export type VictoriaMetrics = {
  readonly url: string;
  /** One of its numbers about itself, summed over the labels that contain `label`. */
  readonly number: (name: string, label?: string) => Promise<number>;
  /** Everything that was sent so far can be queried, and is on the disk. */
  readonly flush: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Starts the program with further options of it. */
export async function startVictoriaMetrics(
  program: string,
  ...flags: readonly string[]
): Promise<VictoriaMetrics> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-meter-victoria-"));
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  const options = [
    `-httpListenAddr=${address}`,
    `-storageDataPath=${folder}`,
    "-opentelemetry.usePrometheusNaming",
    ...flags,
  ];
  const child = Bun.spawn([program, ...options], { stdout: "ignore", stderr: "ignore" });
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isHealthy(url)) {
      const number = (name: string, label = ""): Promise<number> => numberAt(url, name, label);
      return { url, number, flush: () => flush(url), end };
    }
    await Bun.sleep(50);
  }
  await end();
  throw new Error("VictoriaMetrics does not answer");
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function flush(url: string): Promise<void> {
  await fetch(`${url}/internal/force_flush`);
}

async function numberAt(url: string, name: string, label: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.split(/[{ ]/, 1)[0] === name && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
