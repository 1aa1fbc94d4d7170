import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveSession } from "./session.ts";
import type { Transcript } from "./transcript.ts";

/** Milliseconds that processes have to disappear after mcp-meter has exited. */
const disappearMs = 5_000;

type Observed = Pick<
  Transcript,
  | "clientSent"
  | "serverGot"
  | "serverSent"
  | "clientGot"
  | "atClient"
  | "didServerEnd"
  | "stderr"
  | "records"
  | "summary"
  | "files"
>;

/** The bytes and files that a session left; `before` are the files of earlier sessions. */
export function observe(
  session: LiveSession,
  dir: string,
  name: string,
  before: ReadonlySet<string>,
): Observed {
  const files = filesOf(dir).filter((file) => !before.has(file));
  const log = files.find((file) => file.endsWith(".ndjson"));
  return {
    clientSent: session.clientSent.bytes,
    serverGot: session.server.got.bytes,
    serverSent: session.serverSent.bytes,
    clientGot: session.got.bytes,
    atClient: session.atClient,
    didServerEnd: session.server.got.isEnded,
    stderr: textOf(join(dir, `${name}.stderr`)) ?? "",
    records: log === undefined ? undefined : textOf(join(dir, log)),
    summary: textOf(join(dir, "summary.json")),
    files,
  };
}

/** The processes of a session that still live some seconds after mcp-meter has exited. */
export async function leftoversOf(session: LiveSession): Promise<readonly string[]> {
  const pids = { "mcp-meter": session.pid, "the server": session.server.pid };
  const living = (): string[] =>
    Object.entries(pids)
      .filter(([, pid]) => pid !== undefined && isAlive(pid))
      .map(([name]) => name);
  const deadline = performance.now() + disappearMs;
  while (living().length > 0 && performance.now() < deadline) await Bun.sleep(2);
  return living();
}

/** True for a process that has not exited; one that only waits for its parent has. */
function isAlive(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  return !["Z", "X"].includes(stat.slice(stat.lastIndexOf(")") + 2).charAt(0));
}

/** The files in the folder of a play, relative to it, without those that the fuzzer makes. */
export function filesOf(dir: string): string[] {
  return filesBelow(dir).filter((file) => !isOurs(file));
}

/** Files that the fuzzer itself makes. */
function isOurs(file: string): boolean {
  return /^[^/]+\.(?:socket|stderr)$/.test(file);
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
