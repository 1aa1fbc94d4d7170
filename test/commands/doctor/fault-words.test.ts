import { expect, test } from "bun:test";
import { faultWords } from "#commands/doctor/fault-words.ts";

test.each([
  ["config", "locked", "a mistake in locked"],
  ["config", "budgets[1].limit", "a mistake in budgets[1].limit"],
  ["config", "servers.(name).window", "a mistake in servers.(name).window"],
  ["config", "not valid JSON in line 3", "not valid JSON in line 3"],
  ["config", "EACCES", "permission denied"],
  ["alert command", "exit 3", "exit code 3"],
  ["alert command", "exit 127", "exit code 127: it has a program that was not found"],
  ["alert command", "SIGKILL", "killed by SIGKILL"],
  ["alert command", "timeout", "killed, because it was not done in time"],
  ["alert command", "ENOENT", "no such file or directory"],
  ["budget counters", "ERR", "it answers with an error of its own; see its log"],
  ["records", "ENOSPC", "no space left on the disk"],
])("a fault of %s, %s", (where, what, words) => {
  expect(faultWords({ where, what })).toBe(`${where}: ${words}`);
});
