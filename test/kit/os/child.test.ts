import { describe, expect, spyOn, test } from "bun:test";
import { chmodSync, closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { UserError } from "#kit/errors.ts";
import { readEnding, type ChildOptions, findExecutable, spawnChild } from "#kit/os/child.ts";
import { textOf } from "../../support/bytes.ts";
import { scratch } from "../../support/replay.ts";
import { socketPair } from "../../support/socket-pair.ts";
import { eventually } from "../../support/wait.ts";

const folder = scratch();
function failure(command: string): [code: number | undefined, sentence: string] {
  try {
    spawnChild([command], process.platform);
  } catch (error) {
    if (error instanceof UserError) return [error.exitCode, error.message];
  }
  return [undefined, "(it was started)"];
}

async function kinds(platform: string, options: ChildOptions = {}): Promise<readonly string[]> {
  const script = "for f in 0 1; do test -p /dev/fd/$f && echo FIFO || echo socket; done";
  const child = spawnChild(["sh", "-c", script], platform, options);
  let output = "";
  for (
    let chunk = await child.streams().stdout.read();
    chunk.value;
    chunk = await child.streams().stdout.read()
  ) {
    output += textOf(chunk.value);
  }
  await child.streams().stdin.end();
  return output.trim().split("\n");
}

const like = (stdin: number, stdout: number): ChildOptions => ({ clientFds: { stdin, stdout } });

function descriptors(): number {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
}

describe("spawnChild", () => {
  test.each([
    ["in our process group", {}, {}],
    ["as the leader of its own group", { leadsGroup: true }, { detached: true }],
  ])("starts %s, without reading ahead and without env and cwd", async (_, options, more) => {
    using spawn = spyOn(Bun, "spawn");
    const child = spawnChild(["true"], process.platform, options);
    const [command, spawnOptions] = spawn.mock.calls[0] ?? [];
    expect(spawnOptions).toEqual({
      stdin: expect.anything(),
      stdout: expect.anything(),
      stderr: "inherit",
      lazy: true,
      ...more,
    });
    expect(command).toEqual(expect.arrayContaining([expect.stringMatching(/\/true$/)]));
    await child.subprocess.exited;
    expect(readEnding(child)).toEqual({ code: 0 });
  });

  test("gives pipes, and sockets where ours are sockets or pipes cannot be made", async () => {
    const isLinux = process.platform === "linux";
    const [pipe, socket] = isLinux ? ["FIFO", "socket"] : ["socket", "socket"];
    expect(await kinds(process.platform)).toEqual([pipe, pipe]);
    const { ours, theirs } = socketPair();
    const plain = openSync(import.meta.path, "r");
    expect(await kinds(process.platform, like(theirs, plain))).toEqual([socket, pipe]);
    expect(await kinds(process.platform, like(plain, theirs))).toEqual([pipe, socket]);
    expect(await kinds("sunos")).toEqual(["socket", "socket"]);
    const device = openSync("/dev/null", "r");
    expect(await kinds(process.platform, like(device, device))).toEqual([socket, socket]);
    expect(await kinds(process.platform, like(device, plain))).toEqual([pipe, pipe]);
    for (const fd of [ours, theirs, plain, device]) closeSync(fd);
  });

  test("keeps no end open that is the server's: each side learns when the other closes", async () => {
    const before = descriptors();
    const child = spawnChild(["cat"], process.platform);
    await child.streams().stdin.write("through\n");
    await child.streams().stdin.flush();
    expect(textOf((await child.streams().stdout.read()).value)).toBe("through\n");
    await child.streams().stdin.end();
    expect((await child.streams().stdout.read()).value).toBeUndefined();
    expect(await child.subprocess.exited).toBe(0);
    await eventually("all descriptors closed", () => descriptors() <= before);
  });

  test("a server whose stdout is cancelled gets SIGPIPE", async () => {
    const before = descriptors();
    const child = spawnChild(["yes"], process.platform);
    await child.streams().stdout.read();
    await child.streams().stdout.cancel();
    await child.subprocess.exited;
    expect(readEnding(child)).toEqual({ signal: "SIGPIPE" });
    await child.streams().stdin.end();
    await eventually("all descriptors closed", () => descriptors() <= before);
  });

  test("throws for a command that cannot be started, with the exit code of a shell", () => {
    const file = folder.write("plain.txt", "");
    chmodSync(file, 0o644);
    expect(failure("no-such-command-at-all")).toEqual([
      127,
      expect.stringContaining("no-such-command-at-all"),
    ]);
    expect(failure(file)).toEqual([126, expect.stringContaining("not executable")]);
    expect(failure(folder.path)).toEqual([126, expect.stringContaining("directory")]);
  });
});

test("readEnding is the code or the signal of a child that has exited", async () => {
  for (const [script, ending] of [
    ["exit 7", { code: 7 }],
    ["kill -TERM $$", { signal: "SIGTERM" }],
  ] as const) {
    const child = spawnChild(["sh", "-c", script], process.platform);
    await child.subprocess.exited;
    expect(readEnding(child)).toEqual(ending);
  }
});

async function readOutput(command: readonly string[], options: ChildOptions): Promise<string> {
  const child = spawnChild(command, process.platform, options);
  const { value } = await child.streams().stdout.read();
  await child.subprocess.exited;
  return value ? textOf(value).trim() : "";
}

function find(name: string, path: string, cwd?: string): string {
  return findExecutable(name, "linux", { env: { PATH: path }, cwd });
}

describe("surroundings", () => {
  test("are the environment and the folder of a server, whose stderr is discarded", async () => {
    using spawn = spyOn(Bun, "spawn");
    const surroundings = { env: { PATH: "/usr/bin:/bin", OWN: "o" }, cwd: folder.path };
    const script = 'echo "$OWN $HOME $PWD"; echo secret >&2';
    expect(await readOutput(["sh", "-c", script], { surroundings })).toBe(`o  ${folder.path}`);
    expect(spawn.mock.calls[0]?.[1]).toMatchObject({ stderr: "ignore" });
  });

  test("are where a command is searched", () => {
    const program = folder.write("own-program", "#!/bin/sh\n");
    chmodSync(program, 0o755);
    expect(find("own-program", `/bin:${folder.path}`)).toBe(program);
    expect(find("./own-program", "/bin", folder.path)).toBe(program);
    expect(find("own-program", "", folder.path)).toBe(program);
    expect(find(program, "", "/")).toBe(program);
    expect(() => find("own-program", "/bin", folder.path)).toThrow(UserError);
  });
});
