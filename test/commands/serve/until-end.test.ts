import { describe, expect, test } from "bun:test";
import { watchEnd } from "#commands/serve/command.ts";
import type { ForwardedSignal } from "#kit/io.ts";
import { eventually } from "../../support/wait.ts";

function waiting(idleExitMs?: number, idleSinceMs = Infinity) {
  const sent: string[] = [];
  let handler: ((signal: ForwardedSignal) => void) | undefined;
  let sweeps = 0;
  const signals = {
    listen: (listener: (signal: ForwardedSignal) => void) => {
      handler = listener;
      return () => (handler = undefined);
    },
    send: (_pid: number, signal: string) => sent.push(signal) > 0,
  };
  const end = watchEnd(
    { idleSinceMs: () => idleSinceMs, idleExitMs, sweep: () => void (sweeps += 1) },
    { signals, pid: 7 },
  );
  const done = { requested: false, forced: false };
  void end.requested.then(() => (done.requested = true));
  void end.forced.then(() => (done.forced = true));
  return {
    end,
    done,
    sent,
    sweeps: () => sweeps,
    signal: async (name: ForwardedSignal) => {
      handler?.(name);
      await Bun.sleep(0);
    },
    isListening: () => handler !== undefined,
  };
}

describe("watchEnd", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
    "%s is the end, and the second one insists",
    async (name) => {
      const { end, done, signal, isListening } = waiting();
      await signal(name);
      expect(done).toEqual({ requested: true, forced: false });
      await signal("SIGTERM");
      expect(done).toEqual({ requested: true, forced: true });
      end.release();
      expect(isListening()).toBe(false);
    },
  );

  test("other signals are not, and SIGTSTP stops the process", async () => {
    const { end, done, signal, sent } = waiting();
    for (const name of ["SIGUSR1", "SIGUSR2", "SIGTSTP", "SIGCONT"] as const) await signal(name);
    expect(done.requested).toBe(false);
    expect(sent).toEqual(["SIGSTOP"]);
    end.release();
  });

  test("idle time ends serving if wanted, and conversations are swept meanwhile", async () => {
    const { end, done, sweeps } = waiting(20, performance.now());
    await eventually("the end", () => done.requested);
    expect(sweeps()).toBeGreaterThan(0);
    end.release();
  });

  test("an open exchange is not idle time", async () => {
    const { end, done, sweeps } = waiting(4);
    await eventually("some sweeps", () => sweeps() > 5);
    expect(done.requested).toBe(false);
    end.release();
  });
});
