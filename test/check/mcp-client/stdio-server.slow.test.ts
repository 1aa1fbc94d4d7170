import { describe, expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import { StdioServer } from "#check/mcp-client/stdio-server.ts";
import { textOf } from "../../support/bytes.ts";
import { allowed, judgedByTime } from "../../support/measure.ts";
import { eventually, within } from "../../support/wait.ts";
import { realIo, Spawned } from "./host.ts";

const shell = (script: string): StdioServer =>
  new StdioServer({ command: ["sh", "-c", script] }, realIo);

async function readOutput(server: StdioServer): Promise<string> {
  let text = "";
  for await (const chunk of server.output()) text += textOf(chunk);
  return text;
}

describe("the life of a StdioServer", () => {
  test("runs, and has ended by itself when it exits", async () => {
    const server = shell("echo hello; exit 3");
    expect([server.life, server.pid, server.exit]).toEqual(["new", null, undefined]);
    server.start();
    expect([server.life, server.exit]).toEqual(["running", undefined]);
    expect(await readOutput(server)).toBe("hello\n");
    await server.close();
    expect([server.life, server.exit]).toEqual(["ended-by-itself", "ended with code 3"]);
  });

  test("has ended by itself when it closes its stdout", async () => {
    const server = shell("exec >&-; exec sleep 300");
    server.start();
    await readOutput(server);
    expect([server.life, server.exit]).toEqual(["ended-by-itself", undefined]);
    server.kill();
    await server.close();
    expect([server.life, server.exit]).toEqual(["ended-by-itself", "was killed by SIGKILL"]);
  });

  test.each(["close", "kill"] as const)("has ended by us after %s", async (how) => {
    using spawned = new Spawned();
    const server = shell("exec sleep 300");
    server.start();
    const output = readOutput(server);
    void server[how]();
    expect(server.life).toBe("ended-by-us");
    await server.close();
    expect([server.life, await output, await spawned.living()]).toEqual(["ended-by-us", "", []]);
  });

  test.each(["close", "kill"] as const)("never starts after %s", async (how) => {
    using spawned = new Spawned();
    const server = shell("exec sleep 300");
    await server[how]();
    expect(() => server.start()).toThrow("ended-by-us");
    await server.close();
    expect(spawned.pids).toEqual([]);
  });

  test("starts once", async () => {
    using spawned = new Spawned();
    const server = shell("exec sleep 300");
    server.start();
    expect(() => server.start()).toThrow("running");
    server.kill();
    await server.close();
    expect([spawned.pids.length, (await spawned.living()).length]).toEqual([1, 0]);
  });

  test("a command that is missing is a UserError with exit code 3", () => {
    const server = new StdioServer({ command: ["no-such-server-at-all"] }, realIo);
    expect(() => server.start()).toThrow(UserError);
    expect(server.life).toBe("new");
  });
});

describe("StdioServer ends", () => {
  test("a server that ignores EOF and SIGTERM, within three seconds", async () => {
    const server = shell("trap '' TERM; while :; do sleep 0.1; done");
    server.start();
    const startedMs = performance.now();
    await server.close();
    expect(server.exit).toBe("was killed by SIGKILL");
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
  });

  test("what a server left behind, although the server is gone", async () => {
    using spawned = new Spawned();
    const server = shell("sleep 300 >/dev/null 2>&1 & exit 0");
    server.start();
    expect(await readOutput(server)).toBe("");
    await eventually("the shell ended", () => spawned.running.length === 1);
    await server.close();
    expect(await spawned.living()).toEqual([]);
  });

  test(
    "at once with kill, also while it closes",
    async () => {
      const server = shell("trap '' TERM; while :; do sleep 0.1; done");
      server.start();
      const startedMs = performance.now();
      const closed = server.close();
      server.kill();
      await closed;
      expect(performance.now() - startedMs).toBeLessThan(allowed(900));
    },
    judgedByTime,
  );

  test("its output, although a process that left its group still holds it", async () => {
    const server = shell("setsid sh -c 'echo hello; exec sleep 6' & sleep 300");
    server.start();
    const chunks: string[] = [];
    const output = (async () => {
      for await (const chunk of server.output()) chunks.push(textOf(chunk));
    })();
    await eventually("hello", () => chunks.length > 0);
    server.kill();
    await server.close();
    await within("the end of the output", 5_000, output);
    expect(chunks.join("")).toBe("hello\n");
  });
});

describe("StdioServer writes", () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x61);

  test("a burst, in order and whole", async () => {
    const server = shell("sleep 0.2; exec wc -c");
    server.start();
    const burst = Array.from({ length: 64 }, () => server.write(megabyte));
    const output = readOutput(server);
    await Promise.all(burst);
    void server.close();
    expect(Number(await output)).toBe(64 * megabyte.length);
  });

  test.each([
    ["closed its stdin", "exec <&-; sleep 300"],
    ["exits", "sleep 0.1"],
    ["has exited", "exit 0"],
  ])("a burst to a server that %s is not an error", async (_, script) => {
    const server = shell(script);
    server.start();
    for (let round = 0; round < 5; round += 1) {
      const burst = Array.from({ length: 20 }, () => server.write(megabyte));
      await Bun.sleep(50);
      void Promise.all(burst);
    }
    server.kill();
    await server.close();
    await server.write(megabyte);
  });

  test("to a server that never reads: closing does not wait for the pipe", async () => {
    const server = shell("exec sleep 300");
    server.start();
    const burst = Array.from({ length: 64 }, () => server.write(megabyte));
    await within("the server to close", 5_000, server.close());
    await within("the writes to settle", 5_000, Promise.all(burst));
  });
});
