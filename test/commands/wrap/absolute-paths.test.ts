import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { runCommand } from "#commands/run/index.ts";
import { absolutePaths } from "#commands/wrap/options.ts";

test.each([
  [
    ["--log", "calls.ndjson"],
    ["--log", resolve("calls.ndjson")],
  ],
  [["--log=calls.ndjson"], [`--log=${resolve("calls.ndjson")}`]],
  [
    ["-o", "out.md"],
    ["-o", resolve("out.md")],
  ],
  [
    ["--lock", "a=b"],
    ["--lock", resolve("a=b")],
  ],
] as const)("%j is of any folder", (words, absolute) => {
  expect(absolutePaths(words, runCommand.options)).toEqual(absolute);
});

test.each([
  [[]],
  [["--log", "/calls.ndjson"]],
  [["--log", "off"]],
  [["--log", "-"]],
  [["--config", "~/config.json"]],
  [["--spill-dir", "spills"]],
  [["--budget", "100k/session", "--annotate", "--summary=off"]],
  [["--server", "--log"]],
] as const)("%j stays", (words) => {
  expect(absolutePaths(words, runCommand.options)).toEqual(words);
});
