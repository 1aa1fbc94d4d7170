import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram, startProgram } from "#kit/os/run-program.ts";
import { Folder } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";

const limits = { bytesMax: 1_000, maxMs: 20_000 };

const sh = (script: string, changed: Partial<typeof limits> = {}) =>
  runProgram(["/bin/sh", "-c", script], { ...limits, ...changed });

describe("runCollected", () => {
  test("collects bytes as they are, from a program without a stdin", async () => {
    const ended = await sh("printf '\\377\\n'; cat >&2; echo no >&2; exit 3");
    const [stdout, stderr] = [new Uint8Array([0xff, 0x0a]), new TextEncoder().encode("no\n")];
    expect(ended).toEqual({ stdout, stderr, exitCode: 3 });
  });

  test("a signal leaves no exit code", async () => {
    expect(await sh("kill -TERM $$")).toMatchObject({ exitCode: undefined });
  });

  test("takes as many bytes as allowed, and not one more", async () => {
    expect(await sh("head -c 1000 /dev/zero")).toMatchObject({ exitCode: 0 });
    expect(await sh("head -c 1001 /dev/zero")).toEqual({ limit: "bytes" });
    expect(await sh("head -c 1001 /dev/zero >&2")).toEqual({ limit: "bytes" });
    expect(await sh("trap '' TERM; yes")).toEqual({ limit: "bytes" });
  });

  test("waits neither for a program that hangs nor for another one that holds its pipes", async () => {
    using folder = new Folder();
    const pid = folder.at("pid");
    for (const end of ["wait", "exit 0"]) {
      const script = `sleep 1000 & echo $! >${pid}; ${end}`;
      expect(await sh(script, { maxMs: 300 })).toEqual({ limit: "time" });
      process.kill(Number(readFileSync(pid, "utf8")));
    }
  });

  test("a program that cannot be started is the system's code", async () => {
    expect(await runProgram(["/none/at/all"], limits)).toEqual({ fault: "ENOENT" });
    expect(await runProgram(["/etc/passwd"], limits)).toEqual({ fault: "EACCES" });
    expect(await runProgram(["true"], { ...limits, cwd: "/none" })).toEqual({ fault: "ENOENT" });
    expect(await sh(`: ${"x".repeat(131_070)}`)).toEqual({ fault: "E2BIG" });
    expect(await sh(`: ${"x".repeat(131_069)}`)).toMatchObject({ exitCode: 0 });
  });
});

describe("startDiscarded", () => {
  test("starts a program that is not killed with us and hears none of our signals", async () => {
    using folder = new Folder();
    const listeners = process.listenerCount("SIGTERM");
    const script = `cat >${folder.at("in")}; echo lost; sleep 1000 & echo $! >${folder.at("pid")}; wait`;
    const child = await startProgram(["/bin/sh", "-c", script], { input: "é", detached: true });
    await eventually("the input", () => existsSync(folder.at("pid")));
    expect(readFileSync(folder.at("in"), "utf8")).toBe("é");
    expect([process.listenerCount("SIGTERM"), child.isRunning()]).toEqual([listeners, true]);
    process.kill(-child.pid, "SIGKILL");
    expect(await child.ended).toEqual({ signal: "SIGKILL" });
    expect(child.isRunning()).toBe(false);
  });

  test("throws the system's error", async () => {
    await expect(startProgram(["/none/at/all"])).rejects.toMatchObject({ code: "ENOENT" });
    const long = startProgram(["true", "x".repeat(131_072)]);
    await expect(long).rejects.toMatchObject({ code: "E2BIG" });
  });
});

test.each(["doctor", "--help"])("%s leaves the flags of shared pipes as they are", (command) => {
  using folder = new Folder();
  folder.file("mcp-meter", "#!/bin/sh\necho 9.9.9\n");
  const [program, flags] = [join(import.meta.dir, "../../../src/main.ts"), folder.at("flags")];
  const script = `chmod +x mcp-meter; { "$0" ${program} ${command} 2>&1; grep flags: /proc/self/fdinfo/2 >${flags}; } 2>&1 | cat`;
  const { stdout } = Bun.spawnSync(["/bin/sh", "-c", script, process.execPath], {
    cwd: folder.path,
    env: { HOME: folder.path, PATH: `${folder.path}:${process.env["PATH"]}` },
  });
  expect(stdout.toString()).toContain(command === "doctor" ? "9.9.9" : "Usage");
  expect(readFileSync(flags, "utf8")).toMatch(/^flags:\s+01$/m);
});
