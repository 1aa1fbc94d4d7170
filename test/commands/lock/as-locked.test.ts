import { expect, test } from "bun:test";
import { countAsLocked } from "#commands/lock/as-locked.ts";
import { parseLockOptions } from "#commands/lock/options.ts";
import type { RawOptions } from "#commands/command.ts";
import { lockedTool, lockWith } from "../../support/locks.ts";

const locked = lockWith([lockedTool()], { estimator: "claude" });
const given = (options: RawOptions) =>
  parseLockOptions({ options, operands: [], child: ["server"] });

test("countAsLocked counts as the lock was counted", () => {
  expect(countAsLocked(given({}), locked).reading.tokenizer).toBe("claude");
});

test("countAsLocked leaves what the user names", () => {
  const named = given({ tokenizer: "o200k" });
  expect(countAsLocked(named, locked)).toEqual(named);
  for (const options of [{ model: "gpt-4o" }, { client: "codex" }]) {
    expect(countAsLocked(given(options), locked).reading.tokenizer).toBe("auto");
  }
  expect(countAsLocked(given({}), undefined)).toEqual(given({}));
});
