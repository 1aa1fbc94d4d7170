import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { resolve } from "node:path";

import type { StdioKind } from "../support/pipes.ts";
import { bare, metered, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs * 3);

const line = '{"jsonrpc":"2.0","method":"notifications/message"}\n';

const inspect = [
  "for f in 0 1; do",
  '  test -p /dev/fd/$f && kind=pipe; test -S /dev/fd/$f && kind=socket; echo "$f $kind" >&2',
  "  grep flags /proc/self/fdinfo/$f >&2",
  "done; ls /proc/self/fd >&2",
].join("\n");

async function said(start: typeof bare, script: string, stdio: StdioKind): Promise<string[]> {
  await using session = start(["sh", "-c", script], { stdio, flags: ["--summary", "off"] });
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  return session.stderr.lines.map((one) => one.replace(/^flags:\s+(\d+)$/, visibleFlags));
}

/** The access mode and `O_NONBLOCK`; a pipe that was opened by its name has `O_LARGEFILE`, too. */
function visibleFlags(_: string, octal: string): string {
  return `flags: ${Number.parseInt(octal, 8) & 0o4003}`;
}

describe("row 76: the server's stdin and stdout are pipes when ours are", () => {
  test.each([
    ["/dev/stdin and /dev/stdout", "cat </dev/stdin >/dev/stdout"],
    ["/proc/self/fd", "cat </proc/self/fd/0 >/proc/self/fd/1"],
    ["/dev/fd in a grandchild", "cat /dev/fd/0 | sh -c 'cat </dev/fd/0' >/dev/fd/1"],
  ])("row 76: a server that opens %s again", async (_, script) => {
    await using session = metered(["sh", "-c", script], { stdio: "pipes" });
    await session.input.write(line.repeat(3));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.stdout.text).toBe(line.repeat(3));
  });

  test.each(["pipes", "sockets"] as const)(
    "row 76: kind, flags and number of descriptors as without the meter: %s",
    async (stdio) => {
      const without = await said(bare, inspect, stdio);
      expect(without.slice(0, 3)).toContain(stdio === "pipes" ? "0 pipe" : "0 socket");
      expect(await said(metered, inspect, stdio)).toEqual(without);
    },
  );

  test("row 76: 3 MB through a shell, in both directions at once", async () => {
    await using session = metered(["sh", "-c", "cat </dev/stdin >/dev/stdout"], { stdio: "pipes" });
    const text = line.repeat(60_000);
    await session.input.write(text, testMaxMs);
    expect(await session.finish(testMaxMs)).toEqual({ code: 0, signal: null });
    expect(session.stdout.text === text).toBe(true);
  });
});

describe("row 76: sockets, where ours are sockets", () => {
  const rows = "^row (1|2|3|5|24|25|26|27|28|29|31|32|37|38|39): ";
  const files = ["bytes", "pressure", "lifecycle"].map((name) => `test/faults/${name}.test.ts`);

  test("row 76: bytes, pressure and ends are the same (slow)", () => {
    const root = resolve(import.meta.dir, "../..");
    const limits = ["--timeout", String(testMaxMs), "--only-failures"];
    const run = Bun.spawnSync([process.execPath, "test", ...limits, "-t", rows, ...files], {
      cwd: root,
      env: { ...process.env, FAULT_STDIO: "sockets" },
      stdin: "ignore",
    });
    expect([run.exitCode, run.exitCode === 0 ? "" : run.stderr.toString()]).toEqual([0, ""]);
  });
});
