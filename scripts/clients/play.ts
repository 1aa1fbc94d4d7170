import { readString } from "#wire/json.ts";
import { execa } from "execa";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "./apis/api.ts";
import { ApiServer, type RecordedRequest } from "./apis/server.ts";
import type { ClientDriver, LaunchContext } from "./client.ts";

export type Played = {
  readonly requests: readonly RecordedRequest[];
  readonly exitCode: number | undefined;
  readonly isTimedOut: boolean;
  readonly stderr: string;
};

const timeoutMs = 900_000;
/** A loopback port where nothing listens, so that a client that ignores its settings reaches nothing. */
const deadProxy = "http://127.0.0.1:9";

export async function play(
  driver: ClientDriver,
  plan: readonly Turn[],
  context: {
    readonly folder: string;
    readonly installed: string;
    readonly server: LaunchContext["server"];
  },
): Promise<Played> {
  const { folder, installed, server } = context;
  await using api = new ApiServer(driver.api, plan);
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const path of [home, work, join(folder, "tmp")]) mkdirSync(path, { recursive: true });
  const launch = driver.prepare({ installed, home, work, apiUrl: api.url, server });
  const ended = await execa(launch.command, launch.args, {
    cwd: work,
    env: { ...makeEnvironment(folder, home), ...launch.env },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(join(folder, "stdout"), ended.stdout);
  writeFileSync(join(folder, "stderr"), ended.stderr);
  const requests = api.requests.map((request) => `${JSON.stringify(request)}\n`);
  writeFileSync(join(folder, "requests.ndjson"), requests.join(""));
  const { exitCode, timedOut: isTimedOut, stderr } = ended;
  return { requests: api.requests, exitCode, isTimedOut, stderr };
}

function makeEnvironment(folder: string, home: string): { [name: string]: string } {
  const proxies = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
    [name, deadProxy],
    [name.toUpperCase(), deadProxy],
  ]);
  return {
    ...Object.fromEntries(proxies),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    TERM: "dumb",
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    TMPDIR: join(folder, "tmp"),
    DO_NOT_TRACK: "1",
  };
}

export async function install(
  packageName: string,
  version: string,
  folder: string,
  also: readonly string[] = [],
): Promise<string> {
  const options = ["--no-save", "--no-audit", "--no-fund", "--no-update-notifier"];
  const spec = `${packageName}@${version}`;
  const { failed, stderr } = await execa(
    "npm",
    ["install", ...options, "--prefix", folder, spec, ...also],
    {
      cwd: folder,
      reject: false,
      stdin: "ignore",
    },
  );
  if (failed) throw new Error(`Cannot install ${spec}: ${lastLines(stderr)}`);
  const manifest = join(folder, "node_modules", packageName, "package.json");
  return readString(JSON.parse(readFileSync(manifest, "utf8")), "version") ?? version;
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-3).join(" ");
}

const waitMs = 5_000;

export async function findLeftovers(mark: string): Promise<readonly string[]> {
  const end = Date.now() + waitMs;
  for (;;) {
    const { stdout } = await execa("ps", ["-A", "-ww", "-o", "args="]);
    const running = stdout.split("\n").filter((line) => line.includes(mark));
    if (running.length === 0 || Date.now() > end) return running;
    await Bun.sleep(100);
  }
}
