import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Ending } from "#kit/io.ts";
import { startShell } from "#state/alerting/alert-command.ts";
import { Folder } from "../../support/folder.ts";
import { isGone } from "../../support/processes.ts";
import { eventually } from "../../support/wait.ts";

const io = {
  platform: process.platform,
  signals: {
    listen: () => () => undefined,
    send: (pid: number, signal: string) => process.kill(pid, signal),
  },
};

const run = (command: string, cwd = "/", input = "hello\n") =>
  startShell({ command, input, cwd }, io);

describe("a shell command", () => {
  test("is read by a shell, in its folder, with the input on its stdin", async () => {
    using folder = new Folder();
    const { ended } = await run('x=$(cat); echo "$x, $PWD" > out', folder.path);
    expect(await ended).toEqual({ code: 0 });
    expect(readFileSync(folder.at("out"), "utf8")).toBe(`hello, ${folder.path}\n`);
  });

  const rows: readonly (readonly [name: string, command: string, ending: Ending])[] = [
    ["an exit code", "exit 7", { code: 7 }],
    ["a signal", "kill -SEGV $$", { signal: "SIGSEGV" }],
    ["a program that is not there", "no-such-program-anywhere", { code: 127 }],
    ["a flood of output", "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2", { code: 0 }],
    ["input that is not read", "exec <&-; exit 0", { code: 0 }],
  ];
  for (const [name, command, ending] of rows) {
    test(`${name} is its end`, async () => {
      expect(await (await run(command, "/", "x".repeat(300_000))).ended).toEqual(ending);
    });
  }

  test("is killed with its group", async () => {
    using folder = new Folder();
    const shell = await run("sleep 1000 & echo $! > pid; wait", folder.path);
    const pid = await eventually("the process of the group", () => {
      const text = existsSync(folder.at("pid")) ? readFileSync(folder.at("pid"), "utf8") : "";
      return text.endsWith("\n") && Number(text);
    });
    shell.kill();
    expect(await shell.ended).toEqual({ signal: "SIGKILL" });
    await eventually("the end of the group", () => isGone(pid));
    shell.kill();
  });

  test("has no descriptor of ours", async () => {
    using folder = new Folder();
    await (
      await run("ls /proc/self/fd > out", folder.path)
    ).ended;
    // 3 is the folder that ls reads.
    expect(readFileSync(folder.at("out"), "utf8")).toBe("0\n1\n2\n3\n");
  });

  test("throws where no process can be started", async () => {
    const long = run(`: ${"x".repeat(300_000)}`);
    await expect(long).rejects.toMatchObject({ code: "E2BIG" });
  });
});
