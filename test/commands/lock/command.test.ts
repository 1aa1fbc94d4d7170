import { expect, test } from "bun:test";
import { lock } from "#commands/lock/command.ts";
import { parseLockOptions } from "#commands/lock/options.ts";
import { capturedIo } from "../../support/io.ts";

test("lock --check without a lock is refused before the server is started", async () => {
  const options = { check: true, file: "no-such.lock" };
  const args = { options, operands: [], child: ["no-such-server"] };
  const refused = await lock(parseLockOptions(args), capturedIo()).catch(String);
  expect(refused).toContain('Cannot find the lock "no-such.lock"');
});
