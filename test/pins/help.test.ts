import { describe, expect, test } from "bun:test";
import { commands } from "#commands/index.ts";
import { runCli } from "../../src/cli.ts";
import { fakeIo } from "../support/fake-io.ts";

/** Names that scripts and configurations rely on, written out; help says each of them. */
const options: { readonly [command: string]: string } = {
  report: "summary json",
};

async function helpOf(name: string): Promise<string> {
  const { io, stdout } = fakeIo({ argv: [name, "--help"] });
  expect(await runCli(io)).toEqual({ code: 0 });
  return stdout();
}

describe("help", () => {
  for (const [name, spec] of Object.entries(commands)) {
    test(`of ${name} says its usage and every option, in at most 100 columns`, async () => {
      const text = await helpOf(name);
      expect(text).toStartWith(`${spec.usage}\n`);
      for (const option of Object.keys(spec.options)) expect(text).toContain(`--${option} `);
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    });
  }

  for (const [name, names] of Object.entries(options)) {
    test(`of ${name} has these options`, () => {
      expect(Object.keys(commands[name]?.options ?? {}).join(" ")).toBe(names);
    });
  }

  test("of run has at least what it always had", () => {
    const always =
      "server tokenizer model client window risk log log-fsync summary summary-file exit-code config";
    const known = Object.keys(commands["run"]?.options ?? {});
    expect(known).toEqual(expect.arrayContaining(always.split(" ")));
  });

  test("of report is this text", async () => {
    expect(await helpOf("report")).toMatchInlineSnapshot(`
      "mcp-meter report [options] FILE…

      Print the summary of record files, one or many sessions

      Options:
            --summary  FORMAT: table, markdown, json (default: table)                             [string]
            --json     the same as --summary json                                                [boolean]
        -h, --help     show this help                                                            [boolean]
            --version  show the version                                                          [boolean]

      Examples:
        mcp-meter report calls.ndjson                   what the session printed at exit
        mcp-meter report --json "sessions/**/*.ndjson"  all sessions as one JSON object
      "
    `);
  });
});
