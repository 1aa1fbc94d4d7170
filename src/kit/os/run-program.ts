import type { Ending } from "../io.ts";

// Longest argument that Linux accepts (MAX_ARG_STRLEN).
const argumentBytesMax = 131_071;

type RunOptions = {
  readonly bytesMax: number;
  readonly maxMs: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>; // added to our environment
};

type Ended =
  | {
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
      readonly exitCode: number | undefined; // undefined after a signal
    }
  | { readonly limit: "bytes" | "time" }
  | { readonly fault: string };

// With `cleanup`, execa would kill the child when we exit. It would also handle the signals that we forward to the MCP
// server.
const fixedOptions = { cleanup: false, reject: false, killSignal: "SIGKILL" } as const;

export async function runProgram(
  [file = "", ...args]: readonly string[],
  { bytesMax, maxMs, ...spawnOptions }: RunOptions,
): Promise<Ended> {
  const { execa } = await import("execa");
  if (args.some(isTooLong)) return { fault: "E2BIG" };
  const child = execa(file, args, {
    ...fixedOptions,
    ...spawnOptions,
    stdin: "ignore",
    encoding: "buffer",
    stripFinalNewline: false,
    maxBuffer: bytesMax,
  });
  let isLate = false;
  // With execa's `timeout`, `await child` would still wait for grandchildren that hold the pipes open.
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
    child.stdout.destroy();
    child.stderr.destroy();
  }, maxMs);
  const { stdout, stderr, exitCode, signal, code, isMaxBuffer } = await child;
  clearTimeout(timer);
  if (isLate) return { limit: "time" };
  if (isMaxBuffer) return { limit: "bytes" };
  if (exitCode === undefined && signal === undefined) return { fault: code ?? "unknown" };
  return { stdout, stderr, exitCode };
}

// Arguments are measured before the spawn, because under Bun, execa crashes on errors that spawn throws synchronously.
function isTooLong(arg: string): boolean {
  return Buffer.byteLength(arg) > argumentBytesMax;
}

type StartOptions = {
  readonly input?: string;
  readonly cwd?: string;
  readonly detached?: boolean;
  readonly windowsVerbatimArguments?: boolean;
};

type StartedProgram = {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly isRunning: () => boolean;
  readonly kill: () => void;
};

/** Discards the output. We may exit before the program ends. Throws a system error if the program cannot start. */
export async function startProgram(
  [file = "", ...args]: readonly string[],
  { input, ...options }: StartOptions = {},
): Promise<StartedProgram> {
  const { execa } = await import("execa");
  if (args.some(isTooLong)) {
    throw Object.assign(new Error("argument list too long"), { code: "E2BIG" });
  }
  const child = execa(file, args, {
    ...fixedOptions,
    ...options,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
    stdout: "ignore",
    stderr: "ignore",
  });
  const { pid, nodeChildProcess } = child;
  if (pid === undefined) throw (await child).cause;
  nodeChildProcess.unref();
  return {
    pid,
    ended: child.then(({ exitCode = 0, signal }) =>
      signal === undefined ? { code: exitCode } : { signal },
    ),
    isRunning: () => nodeChildProcess.exitCode === null && nodeChildProcess.signalCode === null,
    kill: () => void child.kill(),
  };
}
