import { describe, expect, test } from "bun:test";
import type { ForwardedSignal, Io } from "#io.ts";
import type { Child } from "#os/child.ts";
import { forwardSignals } from "#proxy/signals.ts";

/** A child that runs until it is told otherwise, and the signals that were sent to whom. */
function scene(told: { pid?: number; platform?: string; exitCode?: number | null } = {}) {
  const sent: string[] = [];
  const handlers: ((signal: ForwardedSignal) => void)[] = [];
  let isIgnored = false;
  const io: Pick<Io, "signals" | "pid" | "platform"> = {
    pid: told.pid ?? 0,
    platform: told.platform ?? "linux",
    signals: {
      listen(handler) {
        handlers.push(handler);
        return () => (isIgnored = true);
      },
      send: (pid, signal) => sent.push(`${pid} ${signal}`) > 0,
    },
  };
  const child = { pid: 42, exitCode: told.exitCode ?? null, signalCode: null } as Child;
  const release = forwardSignals(child, io);
  return {
    sent,
    hear: (signal: ForwardedSignal) => handlers[0]?.(signal),
    release,
    isIgnored: () => isIgnored,
  };
}

describe("forwardSignals", () => {
  const at = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCONT"] as const;
  for (const signal of at) {
    test(`${signal} reaches the child at once, once`, () => {
      const { sent, hear, release } = scene();
      hear(signal);
      expect(sent).toEqual([`42 ${signal}`]);
      release();
    });
  }

  test("SIGTSTP stops the child, then us", () => {
    const { sent, hear, release } = scene({ pid: 7 });
    hear("SIGTSTP");
    expect(sent).toEqual(["42 SIGTSTP", "7 SIGSTOP"]);
    release();
  });

  test("a child that has ended is sent nothing", () => {
    const { sent, hear, release } = scene({ exitCode: 0 });
    hear("SIGTERM");
    expect(sent).toEqual([]);
    release();
  });

  test("a TERM that does not help becomes a KILL, unless it is over before", async () => {
    const [stubborn, released] = [scene(), scene()];
    for (const { hear } of [stubborn, released]) hear("SIGTERM");
    released.release();
    await Bun.sleep(1_800);
    expect(stubborn.sent).toEqual(["42 SIGTERM", "42 SIGKILL"]);
    expect(released.sent).toEqual(["42 SIGTERM"]);
    expect([stubborn.isIgnored(), released.isIgnored()]).toEqual([false, true]);
    stubborn.release();
  });
});
