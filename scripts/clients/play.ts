import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import type { Turn } from "./apis/api.ts";
import { ApiServer, type KeptRequest } from "./apis/server.ts";
import type { ClientDriver, Place } from "./client.ts";

/** A session that has ended. */
export type Played = {
  readonly requests: readonly KeptRequest[];
  readonly exitCode: number | undefined;
  readonly isTimedOut: boolean;
  readonly stderr: string;
};

const timeoutMs = 300_000;
/** Loopback, where no service listens: a client that ignores its settings reaches nothing. */
const deadProxy = "http://127.0.0.1:9";

/** Runs a client headless until it ends. `folder` is its own; `server` is the MCP server's command. */
export async function play(
  driver: ClientDriver,
  plan: readonly Turn[],
  places: { readonly folder: string; readonly installed: string; readonly server: Place["server"] },
): Promise<Played> {
  const { folder, installed, server } = places;
  await using api = new ApiServer(driver.api, plan);
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const one of [home, work, join(folder, "tmp")]) mkdirSync(one, { recursive: true });
  const launch = driver.prepare({ installed, home, work, apiUrl: api.url, server });
  const ended = await execa(launch.command, launch.args, {
    cwd: work,
    env: { ...environment(folder, home), ...launch.env },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(join(folder, "stdout"), ended.stdout);
  writeFileSync(join(folder, "stderr"), ended.stderr);
  const { exitCode, timedOut: isTimedOut, stderr } = ended;
  return { requests: api.requests, exitCode, isTimedOut, stderr };
}

/** Nothing of the user's own environment but the path to programs. */
function environment(folder: string, home: string): { [name: string]: string } {
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
