import { expect, test } from "bun:test";
import { commands } from "#commands/index.ts";
import { version } from "#kit/version.ts";
import { join } from "node:path";
import { renderManPage, manPath } from "../../scripts/man-page.ts";
import { has } from "../support/needs.ts";

const page = renderManPage();
const file = join(import.meta.dir, "..", "..", manPath);
const overstruck = new RegExp(`.${String.fromCharCode(8)}`, "g");

const all = Object.values(commands);

test(`${manPath} is made from the tables: run "bun scripts/readme.ts" after a change of them`, async () => {
  expect(await Bun.file(file).text()).toBe(page);
});

const mandoc = has("mandoc", "the manual page as mandoc reads it");

test.skipIf(!mandoc)("mandoc has no warning about the page", () => {
  const { stdout, exitCode } = Bun.spawnSync(["mandoc", "-Tlint", "-Wwarning", file]);
  expect([stdout.toString(), exitCode]).toEqual(["", 0]);
});

test.skipIf(!mandoc)(
  "the page as a reader gets it has every command, option, code and example",
  () => {
    const words = ["mandoc", "-Tascii", "-Owidth=400", file];
    const text = Bun.spawnSync(words).stdout.toString().replaceAll(overstruck, "");
    expect(text).toContain(`mcp-meter ${version}`);
    for (const { name, summary, usage, options, exits, examples } of all) {
      expect(text).toContain(`\n   ${name}\n     ${summary}.\n`);
      expect(text).toContain(usage.replaceAll("…", "..."));
      for (const [option, { value, short }] of Object.entries(options)) {
        const long = `--${option}${value === undefined ? "" : ` ${value}`}`;
        expect(text).toContain(`     ${short === undefined ? "" : `-${short}, `}${long}`);
      }
      for (const [, meaning] of exits) expect(text.toLowerCase()).toContain(meaning.toLowerCase());
      for (const [line] of examples) expect(text).toContain(`\n           ${line}\n`);
    }
    for (const heading of ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]) {
      expect(text).toContain(`\n${heading}\n`);
    }
  },
);
