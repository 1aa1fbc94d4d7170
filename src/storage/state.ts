import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileNameCharactersMax } from "#limits.ts";
import { sentences, UserError } from "#errors.ts";
import { errorCode } from "#os/error-code.ts";

type Env = Readonly<{ [name: string]: string | undefined }>;

/** Our folder for what outlives a session, or undefined when the environment names no place for it. */
export function stateFolder(env: Env): string | undefined {
  const base = absolute(env["XDG_STATE_HOME"]);
  if (base !== undefined) return join(base, "mcp-meter");
  const home = absolute(env["HOME"] ?? env["USERPROFILE"]);
  return home === undefined ? undefined : join(home, ".local", "state", "mcp-meter");
}

/** Our folder for what a person configures. */
export function configFolder(env: Env): string | undefined {
  const base = absolute(env["XDG_CONFIG_HOME"]);
  if (base !== undefined) return join(base, "mcp-meter");
  const home = absolute(env["HOME"] ?? env["USERPROFILE"]);
  return home === undefined ? undefined : join(home, ".config", "mcp-meter");
}

/** Path for a session's records; makes its folder, 0700. Throws UserError when that is impossible. */
export function newRecordPath(env: Env, at: Date, server: string, random: string): string {
  const state = stateFolder(env);
  if (state === undefined) throw new UserError(sentences.homeMissing());
  const [date = "", time = ""] = at.toISOString().slice(0, 19).split("T");
  const folder = join(state, "sessions", date);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UserError(sentences.logUnwritable(folder, errorCode(error)));
  }
  return join(folder, `${time.replaceAll(":", "")}-${fileName(server)}-${random}.ndjson`);
}

/**
 * Path for a line that is too long for memory, of no file that is there: in our folder, made when it is
 * missing, else where the system keeps what is short-lived.
 */
export function newOverflowPath(env: Env): string {
  const name = `.overflow-${crypto.randomUUID()}`;
  const state = stateFolder(env);
  try {
    if (state === undefined) return join(tmpdir(), name);
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return join(state, name);
  } catch {
    return join(tmpdir(), name);
  }
}

/** The specification of these variables has relative paths ignored. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path))
    ? path
    : undefined;
}

/** A server's name as part of a file name: letters, digits, dots and dashes, at most 40. */
function fileName(server: string): string {
  const name = server.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, fileNameCharactersMax);
  return name.replaceAll(/^[.-]+|[.-]+$/g, "") || "server";
}
