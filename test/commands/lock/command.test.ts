import { expect, test } from "bun:test";
import { lock, optionsAsLocked } from "#commands/lock/command.ts";
import { capturedIo } from "../../support/io.ts";
import { lockedTool, lockWith } from "../../support/locks.ts";

const locked = lockWith([lockedTool()], { estimator: "claude", risk_thresholds: [1, 2, 3] });

test("optionsAsLocked counts as the lock was counted, unless the user says otherwise", () => {
  expect(optionsAsLocked({}, locked)).toMatchObject({ tokenizer: "claude", risk: [1, 2, 3] });
  const said = { tokenizer: "o200k", risk: "4,5,6" };
  expect(optionsAsLocked(said, locked)).toMatchObject({ tokenizer: "o200k", risk: [4, 5, 6] });
  expect(optionsAsLocked({ model: "gpt-4o" }, locked).tokenizer).toBe("auto");
  expect(optionsAsLocked({}, undefined).tokenizer).toBe("auto");
});

test("lock --check without a lock is a mistake of usage", async () => {
  const options = { check: true, file: "no-such.lock" };
  const refused = await lock({ options, operands: [], child: ["true"] }, capturedIo()).catch(
    String,
  );
  expect(refused).toContain('write it with "mcp-meter lock -- <command>"');
});
