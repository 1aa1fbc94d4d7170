import { describe, expect, test } from "bun:test";
import { watchEnd } from "#commands/serve/command.ts";
import type { ForwardedSignal } from "#kit/io.ts";

function waiting() {
  const sent: string[] = [];
  let handler: ((signal: ForwardedSignal) => void) | undefined;
  const signals = {
    listen: (listener: (signal: ForwardedSignal) => void) => {
      handler = listener;
      return () => (handler = undefined);
    },
    send: (_pid: number, signal: string) => sent.push(signal) > 0,
  };
  const end = watchEnd({ signals, pid: 7 });
  const done = { requested: false, forced: false };
  void end.requested.then(() => (done.requested = true));
  void end.forced.then(() => (done.forced = true));
  return {
    end,
    done,
    sent,
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
});
