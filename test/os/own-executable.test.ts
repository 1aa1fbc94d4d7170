import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { ownExecutable } from "#os/own-executable.ts";

test("ownExecutable is the program that runs", () => {
  expect(ownExecutable()).toBe(realpathSync(process.execPath));
});
