import { join } from "node:path";
import type { ForwardedSignal, Io, LenientWriter } from "#kit/io.ts";

export type CapturedIo = Io & {
  readonly written: { stdout: string; stderr: string };
  readonly hear: (signal: ForwardedSignal) => void;
};

const validatorCommand: readonly string[] = [
  process.execPath,
  join(import.meta.dir, "../../src/main.ts"),
  "validate-structured-content",
];

export function capturedIo(env: Io["env"] = {}, argv: readonly string[] = []): CapturedIo {
  const written = { stdout: "", stderr: "" };
  const listeners = new Set<(signal: ForwardedSignal) => void>();
  const writer = (to: keyof typeof written): LenientWriter => ({
    write: (text) => void (written[to] += text),
    flush: () => undefined,
    isTerminal: false,
    measureColumns: async () => undefined,
  });
  return {
    argv,
    env,
    stdout: writer("stdout"),
    stderr: writer("stderr"),
    pid: process.pid,
    parentPid: process.ppid,
    platform: process.platform,
    validatorCommand,
    signals: {
      listen(handler) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
      send(pid, signal) {
        try {
          return process.kill(pid, signal);
        } catch {
          return false;
        }
      },
    },
    written,
    hear: (signal) => {
      for (const listener of listeners) listener(signal);
    },
  };
}
