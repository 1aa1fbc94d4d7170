import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isRunning, ownProcessMark, type ProcessMark } from "#state/stores/sqlite.ts";
import { eventually } from "../../support/wait.ts";

const own = ownProcessMark();

const markOf = (pid: number): ProcessMark => {
  if (!own) throw new Error("this system has no /proc");
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return { ...own, pid, started: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "" };
};

describe.if(own !== undefined)("isRunning", () => {
  test("of this process, and of one with its number that started at another time", () => {
    expect(isRunning(own, own)).toBe(true);
    expect(isRunning(own && { ...own, started: "1" }, own)).toBe(false);
  });

  test("of a process that was killed, before and after its parent has noticed", async () => {
    const child = Bun.spawn(["sleep", "60"]);
    const mark = markOf(child.pid);
    expect(isRunning(mark, own)).toBe(true);
    child.kill("SIGKILL");
    await eventually("it has ended", () => isRunning(mark, own) === false);
    await child.exited;
    expect(isRunning(mark, own)).toBe(false);
  });

  test("of a process of another machine or namespace, which cannot be known", () => {
    expect(isRunning(own && { ...own, space: "elsewhere" }, own)).toBeUndefined();
    expect([isRunning(undefined, own), isRunning(own, undefined)]).toEqual([undefined, undefined]);
  });
});
