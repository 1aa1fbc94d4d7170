import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { chmodSync } from "node:fs";
import { UserError } from "#errors.ts";
import { childEnding, spawnChild } from "#os/child.ts";
import { scratch } from "../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

/** The exit code and the sentence of a command that cannot be started. */
function failure(command: string): [code: number | undefined, sentence: string] {
  try {
    spawnChild([command], process.platform);
  } catch (error) {
    if (error instanceof UserError) return [error.exitCode, error.message];
  }
  return [undefined, "(it was started)"];
}

describe("spawnChild", () => {
  test.each([
    ["in our process group", false, {}],
    ["as the leader of its own group", true, { detached: true }],
  ])("starts %s, without reading ahead and without env and cwd", async (_, leadsGroup, more) => {
    using spawn = spyOn(Bun, "spawn");
    const child = spawnChild(["true"], process.platform, leadsGroup);
    const [command, options] = spawn.mock.calls[0] ?? [];
    expect(options).toEqual({
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      lazy: true,
      ...more,
    });
    expect(command).toEqual(expect.arrayContaining([expect.stringMatching(/\/true$/)]));
    await child.exited;
    expect(childEnding(child)).toEqual({ code: 0 });
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

test("childEnding is the code or the signal of a child that has exited", async () => {
  for (const [script, ending] of [
    ["exit 7", { code: 7 }],
    ["kill -TERM $$", { signal: "SIGTERM" }],
  ] as const) {
    const child = spawnChild(["sh", "-c", script], process.platform);
    await child.exited;
    expect(childEnding(child)).toEqual(ending);
  }
});
