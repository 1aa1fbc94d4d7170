import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCliOptions, usage } from "../../../scripts/clients/cli-options.ts";
import { drivers } from "../../../scripts/clients/drivers/index.ts";

test("a client and a version", () => {
  const options = parseCliOptions(["claude-code", "--version", "2.1.197", "--dry-run"]);
  expect(options).toMatchObject({ version: "2.1.197", isDry: true, isKept: false });
  expect(options?.driver.title).toBe("Claude Code");
  expect(parseCliOptions(["claude-code"])).toMatchObject({ version: "latest", isDry: false });
  expect(parseCliOptions(["--help"])).toBeUndefined();
});

test.each([
  [[], /^The name of a client is missing: claude-code/],
  [["emacs"], /^Unknown client "emacs"; the clients are claude-code/],
  [["claude-code", "codex"], /^Unexpected argument "codex"/],
  [["claude-code", "--fast"], /Unknown option '--fast'/],
])("%j is refused", (given, sentence) => {
  expect(() => parseCliOptions(given)).toThrow(sentence);
});

test("each client is in the help, and has a section in the document", () => {
  const file = join(import.meta.dir, "../../../docs/notes/clients.md");
  const document = readFileSync(file, "utf8");
  for (const { id } of drivers) {
    expect(usage).toContain(id);
    expect(document).toContain(`<!-- compared: ${id} -->`);
    expect(document).toContain(`<!-- end: ${id} -->`);
  }
});
