import { describe, expect, test } from "bun:test";
import type { ForwardedSignal, Io } from "#kit/io.ts";
import { forwardSignals } from "#transport/proxy/server-signals.ts";
import { eventually } from "../../support/wait.ts";

function scene(
  options: { pid?: number; platform?: string; exitCode?: number | null; isStarted?: boolean } = {},
) {
  const sent: string[] = [];
  const handlers: ((signal: ForwardedSignal) => void)[] = [];
  let hasStopped = false;
  const io: Pick<Io, "signals" | "pid" | "platform"> = {
    pid: options.pid ?? 0,
    platform: options.platform ?? "linux",
    signals: {
      listen(handler) {
        handlers.push(handler);
        return () => (hasStopped = true);
      },
      send: (pid, signal) => sent.push(`${pid} ${signal}`) > 0,
    },
  };
  const child = { pid: 42, exitCode: options.exitCode ?? null, signalCode: null };
  let interruptions = 0;
  const { attach, release } = forwardSignals(io, () => (interruptions += 1));
  const begin = (): void => attach(child);
  if (options.isStarted ?? true) begin();
  return {
    sent,
    interruptions: () => interruptions,
    receive: (signal: ForwardedSignal) => handlers[0]?.(signal),
    begin,
    release,
    hasStopped: () => hasStopped,
  };
}

describe("forwardSignals", () => {
  const at = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCONT"] as const;
  for (const signal of at) {
    test(`${signal} is forwarded to the child at once, once`, () => {
      const { sent, receive, release } = scene();
      receive(signal);
      expect(sent).toEqual([`42 ${signal}`]);
      release();
    });
  }

  test("a signal that asks for the end is reported after it was forwarded, any other is not", () => {
    const { receive, interruptions, release } = scene();
    for (const signal of ["SIGUSR1", "SIGUSR2", "SIGCONT"] as const) receive(signal);
    expect(interruptions()).toBe(0);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) receive(signal);
    expect(interruptions()).toBe(4);
    release();
  });

  test("a signal before the child is started ends nobody, and the next one arrives", () => {
    const { sent, receive, begin, interruptions, release } = scene({ isStarted: false });
    receive("SIGINT");
    expect([sent, interruptions()]).toEqual([[], 1]);
    begin();
    receive("SIGINT");
    expect(sent).toEqual(["42 SIGINT"]);
    release();
  });

  test("SIGTSTP stops the child, then us", () => {
    const { sent, receive, release } = scene({ pid: 7 });
    receive("SIGTSTP");
    expect(sent).toEqual(["42 SIGTSTP", "7 SIGSTOP"]);
    release();
  });

  test("no signal is sent to a child that has ended", () => {
    const { sent, receive, release } = scene({ exitCode: 0 });
    receive("SIGTERM");
    expect(sent).toEqual([]);
    release();
  });

  test("a child that ignores SIGTERM is killed, unless the forwarding ends before", async () => {
    const [stubborn, released] = [scene(), scene()];
    for (const { receive } of [stubborn, released]) receive("SIGTERM");
    released.release();
    await eventually("SIGKILL", () => stubborn.sent.length > 1);
    expect(stubborn.sent).toEqual(["42 SIGTERM", "42 SIGKILL"]);
    expect(released.sent).toEqual(["42 SIGTERM"]);
    expect([stubborn.hasStopped(), released.hasStopped()]).toEqual([false, true]);
    stubborn.release();
  });
});
