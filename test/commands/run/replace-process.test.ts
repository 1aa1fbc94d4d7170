import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { replaceProcess } from "#commands/run/run-unmetered.ts";

test("replaceProcess returns where it cannot replace the process", () => {
  replaceProcess("/none/at/all", ["x"], { platform: "linux" });
  replaceProcess("/bin/true", ["true"], { platform: "linux", library: "libnone.so.1" });
  replaceProcess("/bin/true", ["true"], { platform: "darwin" });
  const [, ignored = "0"] =
    /^SigIgn:\s+(\w+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  // Otherwise a reader that leaves would end us by SIGPIPE, signal 13.
  expect((Number(`0x${ignored}`) >> 12) & 1).toBe(1);
});
