import { expect, test } from "bun:test";
import { isTolerated, namedParts, spillFolderOf } from "#commands/run/named-parts.ts";
import { parseRunOptions } from "#commands/run/options.ts";

const given = (options: Record<string, string>) =>
  parseRunOptions({ operands: [], child: ["server"], options });

test("parts that are not named are undefined, and others throw", async () => {
  expect(await namedParts(given({})).lock()).toBeUndefined();
  await expect(namedParts(given({ calibration: "/none/c" })).calibration()).rejects.toThrow(
    "/none/c",
  );
});

test("a lock that the command line enforces is needed", () => {
  const implicit = new Set(["lock"]);
  expect(isTolerated("lock", { implicit, isLockEnforced: false })).toBe(true);
  expect(isTolerated("lock", { implicit, isLockEnforced: true })).toBe(false);
  expect(isTolerated("prices", { implicit, isLockEnforced: false })).toBe(false);
});

test("a folder for answers is used where a budget saves them", () => {
  expect(spillFolderOf(given({ "spill-dir": "a" }))).toBeUndefined();
  expect(spillFolderOf(given({ "spill-dir": "a", budget: "b=1k:spill" }))).toBe("a");
});
