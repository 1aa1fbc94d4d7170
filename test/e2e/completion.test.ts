import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandNames } from "#commands/command-names.ts";
import { importerIds } from "#history/importers/ids.ts";
import { type CompletingShell, fishShell, interactiveShell } from "../support/interactive-shell.ts";
import { has } from "../support/needs.ts";
import { executable } from "../support/servers.ts";
import { slowIf } from "../support/slow-cases.ts";
import { type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeAll(() => {
  home = makeHome();
  mkdirSync(join(home.path, "bin"));
  symlinkSync(executable(), join(home.path, "bin", "mcp-meter"));
  symlinkSync("/bin/cat", join(home.path, "bin", "unlikely-program"));
  mkdirSync(join(home.path, "folder"));
  writeFileSync(join(home.path, "folder", "file one"), "");
});

afterAll(() => home.remove());

const commands = [...commandNames, "help"];

const lines: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  ["mcp-meter ", commands],
  ["mcp-meter re", ["record", "report"]],
  ["mcp-meter --bud", ["--budget"]],
  ["mcp-meter run --log-", ["--log-fsync"]],
  ["mcp-meter report --tr", ["--trend"]],
  ["mcp-meter count --tr", []],
  ["mcp-meter tail --format ", ["json", "table"]],
  ["mcp-meter tail --format=", ["json", "table"]],
  ["mcp-meter tail --format=j", ["json"]],
  ["mcp-meter --exit-code ", ["auto", "child"]],
  ["mcp-meter --json --on-fault ", ["closed", "open"]],
  ["mcp-meter report --by day --by mo", ["model", "month"]],
  ["mcp-meter --window ", []],
  ["mcp-meter --server ", []],
  ["mcp-meter --otlp --bud", ["--budget"]],
  ["mcp-meter --help ", ["all"]],
  ["mcp-meter -h a", ["all"]],
  ["mcp-meter --help=", ["all"]],
  ["mcp-meter --help --bud", ["--budget"]],
  ["mcp-meter profile --records folder/fi", ["folder/file one"]],
  ["mcp-meter import ", importerIds],
  ["mcp-meter import codex ge", ["gemini-cli"]],
  ["mcp-meter completion ", ["bash", "fish", "zsh"]],
  ["mcp-meter help do", ["doctor"]],
  ["mcp-meter count folder/fi", ["folder/file one"]],
  ["mcp-meter --summary-file folder/fi", ["folder/file one"]],
  ["mcp-meter report -o folder/fi", ["folder/file one"]],
  ["mcp-meter -- unlikely-p", ["unlikely-program"]],
  ["mcp-meter --budget 5 -- cat folder/fi", ["folder/file one"]],
  ["mcp-meter -- cat --bud", []],
  ["mcp-meter wrap --dry", ["--dry-run"]],
  ["mcp-meter wrap -- unlikely-p", []],
  ["mcp-meter wrap -- --bud", ["--budget"]],
  ["mcp-meter wrap --json one -- --budget 5 --js", ["--json"]],
  ["mcp-meter wrap -- --exit-code ", ["auto", "child"]],
  ["mcp-meter wrap -- --format=j", ["json"]],
];

describe.each(["bash", "zsh", "fish"] as const)("in %s", (name) => {
  const isThere = name === "bash" || has(name, `completion in ${name}`);

  test.skipIf(!isThere)(`the script completes lines${slowIf(name !== "bash")}`, async () => {
    const script = join(home.path, `script.${name}`);
    const env = {
      ...home.env,
      PATH: `${join(home.path, "bin")}:/usr/bin:/bin`,
      LC_ALL: "C.UTF-8",
    };
    expect(await runMeter(home, ["completion", name, "-o", script])).toMatchObject({ status: 0 });
    const place = { home: home.path, script, env };
    await using shell: CompletingShell =
      name === "fish" ? fishShell(place) : await interactiveShell(name, place);
    for (const [line, candidates] of lines) {
      const found = (await shell.complete(line)).map(withoutSlash);
      expect([line, found]).toEqual([line, candidates.toSorted()]);
    }
    const folders = (await shell.complete("mcp-meter --spill-dir fol")).map(withoutSlash);
    expect(folders).toEqual(["folder"]);
    const options = await shell.complete("mcp-meter report --");
    expect(options).toContain("--advice");
    expect(options).not.toContain("--budget");
  });
});

function withoutSlash(word: string): string {
  return word.replace(/\/$/, "");
}

test("bash leaves the words after -- to bash-completion where that is loaded", async () => {
  const script = join(home.path, "script.bash");
  await runMeter(home, ["completion", "bash", "-o", script]);
  const code = `source '${script}'
_command_offset() { echo "offset $1"; }
COMP_WORDS=(mcp-meter --format = json -- npx -y x) COMP_CWORD=7
COMP_LINE='mcp-meter --format=json -- npx -y x' COMP_POINT=\${#COMP_LINE}
_mcp_meter`;
  const { stdout, stderr } = Bun.spawnSync(["bash", "-c", code]);
  expect([stdout.toString(), stderr.toString()]).toEqual(["offset 5\n", ""]);
});
