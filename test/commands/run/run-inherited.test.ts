import { expect, test } from "bun:test";
import { runInherited } from "#commands/run/run-unmetered.ts";
import type { ForwardedSignal } from "#kit/io.ts";
import { capturedIo } from "../../support/io.ts";
import { eventually } from "../../support/wait.ts";

test("runInherited ends as the program does", async () => {
  const { signals } = capturedIo();
  expect(await runInherited(["/bin/sh", "-c", "exit 7"], signals)).toEqual({ code: 7 });
  expect(await runInherited(["/bin/sh", "-c", "kill -9 $$"], signals)).toEqual({
    signal: "SIGKILL",
  });
});

test("runInherited forwards signals to it", async () => {
  const io = capturedIo();
  let pid: number | undefined;
  const signals = {
    ...io.signals,
    send: (to: number, signal: string): boolean => {
      pid = to;
      return io.signals.send(to, signal);
    },
  };
  const ended = runInherited(["/bin/sleep", "60"], signals);
  await eventually("the program to be signalled", () => {
    io.hear("SIGTERM" satisfies ForwardedSignal);
    return pid;
  });
  expect(await ended).toEqual({ signal: "SIGTERM" });
});

test("runInherited throws one sentence for a program that cannot be started", async () => {
  const { signals } = capturedIo();
  await expect(runInherited(["/none/at/all"], signals)).rejects.toThrow(
    'Cannot start "/none/at/all"',
  );
});
