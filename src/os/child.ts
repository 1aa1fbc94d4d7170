import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending } from "#io.ts";

/** A server that we started: pipes on 0 and 1, our own stderr on 2. */
export type Child = Bun.Subprocess<"pipe", "pipe", "inherit">;

const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];

/**
 * Starts a server in our process group, with our environment and working directory. Neither `env` nor `cwd` is
 * passed: then even values that are not valid UTF-8 arrive unchanged. On Linux the kernel kills the server when
 * we are killed ourselves. With `leadsGroup` the server leads a process group of its own, so that it can be
 * ended together with everything it started.
 *
 * Throws UserError with exit code 127 or 126 when the command cannot be started.
 */
export function spawnChild(
  command: readonly string[],
  platform: string,
  leadsGroup: boolean = false,
): Child {
  const [name = "", ...args] = command;
  const file = findExecutable(name, platform);
  try {
    return Bun.spawn([...dieWithParent(platform), file, ...args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      // Otherwise the runtime reads stdout by itself from the start, and a server that floods it fills the memory.
      lazy: true,
      ...(leadsGroup ? { detached: true } : {}),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(sentences.commandFailed(name, reason), exitCodes.notExecutable);
  }
}

/** How a child ended that has exited. */
export function childEnding(child: Child): Ending {
  const { signalCode } = child;
  return signalCode === null ? { code: child.exitCode ?? 0 } : { signal: String(signalCode) };
}

/** The command in front of the server that has the kernel kill it when its parent dies; empty where there is none. */
function dieWithParent(platform: string): readonly string[] {
  if (platform !== "linux") return [];
  const setpriv = setprivPaths.find((path) => existsSync(path));
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}

function findExecutable(name: string, platform: string): string {
  // On Windows the runtime resolves `npx` to `npx.cmd`; see docs/notes/windows.md.
  if (platform === "win32") return Bun.which(name) ?? notFound(name);
  if (name.includes("/")) return checkExecutable(name, name);
  for (const folder of (Bun.env["PATH"] ?? "/usr/bin:/bin").split(delimiter)) {
    const path = join(folder === "" ? "." : folder, name);
    if (name !== "" && isExecutable(path)) return path;
  }
  return notFound(name);
}

function checkExecutable(name: string, path: string): string {
  if (isExecutable(path)) return path;
  if (!existsSync(path)) return notFound(name);
  const reason = statSync(path).isDirectory() ? "is a directory" : "is not executable";
  throw new UserError(sentences.commandNotExecutable(name, reason), exitCodes.notExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function notFound(name: string): never {
  throw new UserError(sentences.commandNotFound(name), exitCodes.notFound);
}
