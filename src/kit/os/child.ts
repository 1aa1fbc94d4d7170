import type { FileSink } from "bun";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { attempt, exitCodes, UserError } from "../errors.ts";
import type { Ending } from "../io.ts";
import { closeQuietly } from "./file-errors.ts";
import { closePipe, isNullDevice, isSocket, openPipe, openSocketPair, type Pipe } from "./pipe.ts";
import { commonSentences } from "../sentences.ts";

export type Child = {
  readonly subprocess: Bun.Subprocess;
  // Our ends of the child's stdin and stdout. Undefined unless we have both descriptors.
  readonly ends: { readonly stdin: ChildEnd; readonly stdout: ChildEnd } | undefined;
  streams(): ChildStreams;
};

type ChildEnd = { readonly fd: number; readonly isSocket: boolean };

export type ChildStreams = { readonly stdin: FileSink; readonly stdout: ChunkReader };

export type ChunkReader = {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>; // closes our end: the writer gets SIGPIPE
};

export type Surroundings = {
  readonly env: Readonly<{ [name: string]: string }>;
  readonly cwd: string | undefined;
};

export type ChildOptions = {
  readonly leadsGroup?: boolean;
  // Our own stdin and stdout. Where one is a socket, the child gets a socket, too.
  readonly clientFds?: { readonly stdin: number; readonly stdout: number };
  readonly needsEnds?: boolean; // makes `ends` available for sockets, too
  // Set by callers that start several servers at once. The servers' stderr would be mixed, so it is discarded.
  readonly surroundings?: Surroundings | undefined;
};

/** Throws UserError with exit code 127 or 126. On Linux with setpriv, the kernel kills the child when we exit. */
export function spawnChild(
  command: readonly string[],
  platform: string,
  options: ChildOptions = {},
): Child {
  const [name = "", ...args] = command;
  const { clientFds, needsEnds = false, surroundings } = options;
  const argv = [
    ...makeParentDeathPrefix(platform),
    findExecutable(name, platform, surroundings),
    ...args,
  ];
  // Without a client, it is not worth loading the C library to make pipes.
  const hasNoClient =
    clientFds !== undefined && isNullDevice(clientFds.stdin) && isNullDevice(clientFds.stdout);
  const open = (fd: number | undefined): Pipe | undefined => {
    if (hasNoClient) return undefined;
    if (fd === undefined || !isSocket(fd)) return openPipe(platform);
    return needsEnds ? openSocketPair(platform) : undefined;
  };
  const [input, output] = [open(clientFds?.stdin), open(clientFds?.stdout)];
  try {
    return startChild(argv, { input, output }, options);
  } catch (error) {
    for (const pipe of [input, output]) if (pipe) closePipe(pipe);
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(commonSentences.commandFailed(name, reason), exitCodes.notExecutable);
  }
}

export function readEnding({ subprocess }: Child): Ending {
  const { signalCode } = subprocess;
  return signalCode === null ? { code: subprocess.exitCode ?? 0 } : { signal: String(signalCode) };
}

type Pipes = { readonly input: Pipe | undefined; readonly output: Pipe | undefined };

function startChild(
  argv: readonly string[],
  { input, output }: Pipes,
  { leadsGroup = false, surroundings }: ChildOptions,
): Child {
  const subprocess = Bun.spawn([...argv], {
    stdin: input?.readEnd ?? "pipe",
    stdout: output?.writeEnd ?? "pipe",
    // Without `lazy`, the runtime reads stdout before we ask, and a flooding server fills the memory.
    lazy: true,
    ...(leadsGroup ? { detached: true } : {}),
    ...makeSpawnOptions(surroundings),
  });
  if (input) closeQuietly(input.readEnd);
  if (output) closeQuietly(output.writeEnd);
  let streams: ChildStreams | undefined;
  return {
    subprocess,
    ends: input &&
      output && {
        stdin: { fd: input.writeEnd, isSocket: input.isSocket },
        stdout: { fd: output.readEnd, isSocket: output.isSocket },
      },
    streams: () => (streams ??= openStreams(subprocess, { input, output })),
  };
}

function makeSpawnOptions(surroundings: Surroundings | undefined) {
  if (!surroundings) return { stderr: "inherit" } as const;
  const { env, cwd } = surroundings;
  return { stderr: "ignore", env, ...(cwd === undefined ? {} : { cwd }) } as const;
}

function openStreams(subprocess: Bun.Subprocess, { input, output }: Pipes): ChildStreams {
  try {
    return { stdin: openInput(subprocess, input), stdout: openOutput(subprocess, output) };
  } catch (error) {
    subprocess.kill("SIGKILL");
    throw error;
  }
}

function openInput({ stdin }: Bun.Subprocess, pipe: Pipe | undefined): FileSink {
  if (!pipe) {
    if (typeof stdin !== "object") throw new Error("the runtime opened no stdin for the child");
    return stdin;
  }
  // The runtime duplicates the descriptor, and closes only the duplicate.
  const sink = Bun.file(pipe.writeEnd).writer();
  closeQuietly(pipe.writeEnd);
  return sink;
}

function openOutput({ stdout }: Bun.Subprocess, pipe: Pipe | undefined): ChunkReader {
  if (!pipe) {
    if (typeof stdout !== "object") throw new Error("the runtime opened no stdout for the child");
    return stdout.getReader();
  }
  const reader = Bun.file(pipe.readEnd).stream().getReader();
  closeQuietly(pipe.readEnd);
  return reader;
}

const setprivPaths = ["/usr/bin/setpriv", "/bin/setpriv"];

function makeParentDeathPrefix(platform: string): readonly string[] {
  if (platform !== "linux") return [];
  const setpriv = setprivPaths.find((path) => existsSync(path));
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}

type SearchPath = {
  readonly env?: Readonly<{ [name: string]: string | undefined }>;
  readonly cwd?: string | undefined;
};

/** Outside Windows, searches as the child process would. Throws UserError with exit code 127 or 126. */
export function findExecutable(
  name: string,
  platform: string,
  { env = Bun.env, cwd }: SearchPath = {},
): string {
  // On Windows the runtime resolves `npx` to `npx.cmd`; see docs/notes/windows.md.
  if (platform === "win32") return Bun.which(name) ?? throwNotFound(name);
  if (name.includes("/")) return checkExecutable(name, resolvePath(name, cwd));
  for (const folder of (env["PATH"] ?? "/usr/bin:/bin").split(delimiter)) {
    const path = resolvePath(join(folder === "" ? "." : folder, name), cwd);
    if (name !== "" && isExecutable(path)) return path;
  }
  return throwNotFound(name);
}

function resolvePath(path: string, cwd: string | undefined): string {
  return cwd === undefined || isAbsolute(path) ? path : join(cwd, path);
}

function checkExecutable(name: string, path: string): string {
  if (isExecutable(path)) return path;
  if (!existsSync(path)) return throwNotFound(name);
  const reason = statSync(path).isDirectory() ? "is a directory" : "is not executable";
  throw new UserError(commonSentences.commandNotExecutable(name, reason), exitCodes.notExecutable);
}

export function isExecutable(path: string): boolean {
  return attempt(() => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  }, false);
}

function throwNotFound(name: string): never {
  throw new UserError(commonSentences.commandNotFound(name), exitCodes.notFound);
}
