import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isRunning, readProcessIdentity } from "#state/stores/sqlite/sqlite-store.ts";
import type { ProcessIdentity } from "#state/stores/sqlite/sqlite-tables.ts";
import { eventually } from "../../support/wait.ts";

const ownMark = readProcessIdentity();

const readMark = (pid: number): ProcessIdentity => {
  if (!ownMark) throw new Error("this system has no /proc");
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return { ...ownMark, pid, started: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "" };
};

describe.if(ownMark !== undefined)("isRunning", () => {
  test("of this process, and of one with its number that started at another time", () => {
    expect(isRunning(ownMark, ownMark)).toBe(true);
    expect(isRunning(ownMark && { ...ownMark, started: "1" }, ownMark)).toBe(false);
  });

  test("of a process that was killed, before and after its parent has noticed", async () => {
    const child = Bun.spawn(["sleep", "60"]);
    const mark = readMark(child.pid);
    expect(isRunning(mark, ownMark)).toBe(true);
    child.kill("SIGKILL");
    await eventually("it has ended", () => isRunning(mark, ownMark) === false);
    await child.exited;
    expect(isRunning(mark, ownMark)).toBe(false);
  });

  test("of a process of another machine or namespace, which cannot be known", () => {
    expect(isRunning(ownMark && { ...ownMark, space: "elsewhere" }, ownMark)).toBeUndefined();
    expect([isRunning(undefined, ownMark), isRunning(ownMark, undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
