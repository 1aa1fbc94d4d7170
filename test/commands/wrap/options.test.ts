import { expect, test } from "bun:test";
import { resolve } from "node:path";
import type { Arguments } from "#commands/command.ts";
import { parseSelection, parseWrapOptions, makePathsAbsolute } from "#commands/wrap/options.ts";
import { thrownBy } from "../../support/folder.ts";
import { runCommand } from "#commands/run/index.ts";

const args = (more: Partial<Arguments> = {}): Arguments => ({
  options: {},
  operands: [],
  child: undefined,
  ...more,
});

test("servers, clients, a file, and options for run", () => {
  const options = { "settings-of": ["codex", "cursor"], file: "/a" };
  const parsed = parseWrapOptions(
    args({ options, operands: ["x"], child: ["--budget", "100k/session", "--annotate"] }),
  );
  expect(parsed).toMatchObject({
    action: "wrap",
    names: ["x"],
    clients: ["codex", "cursor"],
    file: "/a",
    isConfirmed: false,
    isDryRun: false,
    flags: ["--budget", "100k/session", "--annotate"],
  });
  expect(parseWrapOptions(args({ options: { list: true } })).action).toBe("list");
  expect(parseWrapOptions(args({ options: { print: true } })).action).toBe("print");
  const remote = [{}, { remote: true }].map((raw) => parseWrapOptions(args({ options: raw })));
  expect(remote.map(({ includesRemote }) => includesRemote)).toEqual([false, true]);
});

test("files of options are written with their absolute paths", () => {
  const child = ["--config", "package.json", "--lock=package.json", "--log", "off"];
  const file = resolve("package.json");
  expect(parseWrapOptions(args({ child })).flags).toEqual([
    "--config",
    file,
    `--lock=${file}`,
    "--log",
    "off",
  ]);
});

test("--yes requires a server or --all", () => {
  expect(thrownBy(() => parseSelection({ yes: true }, []))).toStartWith("missing server");
  expect(parseSelection({ yes: true, all: true }, [])).toMatchObject({
    isConfirmed: true,
    names: [],
  });
  expect(parseSelection({ yes: true }, ["a"]).names).toEqual(["a"]);
});

test.each([
  [{ options: { all: true }, operands: ["a"] }, 'Cannot combine --all with the server "a"'],
  [{ options: { yes: true, all: true, "dry-run": true } }, "Cannot combine --yes with --dry-run"],
  [{ options: { list: true, print: true } }, "Cannot combine --list with --print"],
  [{ options: { list: true, yes: true, all: true } }, "Cannot combine --list with --yes"],
  [{ options: { "settings-of": ["curser"] } }, "--settings-of must be one of claude-code, "],
  [{ child: ["--server", "a"] }, "Cannot combine --server"],
  [{ child: ["npx"] }, 'unexpected argument "npx"'],
  [{ child: ["--fruit"] }, 'unknown option "--fruit"'],
  [{ child: ["--annotate", "--", "x"] }, 'unexpected argument "--"'],
  [{ child: ["--budget", "lots"] }, 'Cannot read budget "lots"'],
  [{ child: ["--config", "no-such.json"] }, 'Cannot find "no-such.json" for --config; a server'],
  [{ child: ["--prices=no-such.json"] }, 'Cannot find "no-such.json" for --prices; a server'],
] as const)("%j is refused", (more, sentence) => {
  expect(thrownBy(() => parseWrapOptions(args(more)))).toContain(sentence);
});

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
  expect(makePathsAbsolute(words, runCommand.options)).toEqual(absolute);
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
  expect(makePathsAbsolute(words, runCommand.options)).toEqual(words);
});
