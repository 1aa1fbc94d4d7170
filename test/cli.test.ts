import { describe, expect, test } from "bun:test";
import { runCli, splitArguments } from "../src/cli.ts";
import { version } from "#version.ts";
import { fakeIo } from "./support/fake-io.ts";
import { Folder } from "./support/folder.ts";

describe("splitArguments", () => {
  type Row = readonly [
    argv: readonly string[],
    name: string,
    words: readonly string[],
    child: readonly string[] | undefined,
  ];
  const rows: readonly Row[] = [
    [[], "run", [], undefined],
    [["--"], "run", [], []],
    [["--", "node", "s.js"], "run", [], ["node", "s.js"]],
    [["run", "--log", "-", "--", "s"], "run", ["--log", "-"], ["s"]],
    [["--log", "-", "--", "run", "--", "x"], "run", ["--log", "-"], ["run", "--", "x"]],
    [["report", "a", "b"], "report", ["a", "b"], undefined],
    [["report", "--", "-a"], "report", [], ["-a"]],
    [["npx", "s"], "run", ["npx", "s"], undefined],
    [["--", "007", "", "--flag=1", "é"], "run", [], ["007", "", "--flag=1", "é"]],
    [["constructor"], "run", ["constructor"], undefined],
    [["__proto__"], "run", ["__proto__"], undefined],
    [["--server", "report", "--", "s"], "run", ["--server", "report"], ["s"]],
  ];
  for (const [argv, name, words, child] of rows) {
    test(JSON.stringify(argv), () => {
      expect(splitArguments(argv)).toEqual({ name, words, child });
    });
  }
});

async function ran(argv: readonly string[], env: { [name: string]: string } = {}) {
  const { io, stdout, stderr } = fakeIo({ argv, env });
  const ending = await runCli(io);
  return { ending, stdout: stdout(), stderr: stderr() };
}

describe("runCli", () => {
  const mistakes: readonly (readonly [argv: readonly string[], code: number, said: string])[] = [
    [
      [],
      125,
      'missing command; put the server\'s command after --, as in "mcp-meter -- npx -y some-server"',
    ],
    [
      ["--"],
      125,
      'missing command; put the server\'s command after --, as in "mcp-meter -- npx -y some-server"',
    ],
    [
      ["npx", "server"],
      125,
      'unknown command "npx"; to meter a server, put its command after --, as in "mcp-meter -- npx …"',
    ],
    [["--nonsense", "--", "s"], 125, 'unknown option "--nonsense"; see "mcp-meter run --help"'],
    [["-x", "--", "s"], 125, 'unknown option "-x"; see "mcp-meter run --help"'],
    [
      ["--constructor", "--", "s"],
      125,
      'unknown option "--constructor"; see "mcp-meter run --help"',
    ],
    [["--log"], 125, "--log requires a value"],
    [["--log=", "--", "s"], 125, "--log requires a value"],
    [
      ["--window", "lots", "--", "s"],
      125,
      '--window must be a whole number of at least 1, not "lots"',
    ],
    [
      ["--", "/nowhere/at/all"],
      127,
      'Cannot start "/nowhere/at/all": command not found; use the name of a program on the PATH, or a path',
    ],
    [["--", "/etc/passwd"], 126, 'Cannot start "/etc/passwd": it is not executable'],
    [["--", "/"], 126, 'Cannot start "/": it is a directory'],
    [["report"], 2, 'missing record file; name one or more, as in "mcp-meter report calls.ndjson"'],
    [["report", "--log", "x"], 2, 'unknown option "--log"; see "mcp-meter report --help"'],
    [["report", "/nowhere"], 2, 'Cannot read "/nowhere": no such file or directory'],
  ];
  for (const [argv, code, said] of mistakes) {
    test(`${JSON.stringify(argv)} ends with ${code} and one sentence, stdout empty`, async () => {
      expect(await ran(argv)).toEqual({
        ending: { code },
        stdout: "",
        stderr: `mcp-meter: ${said}\n`,
      });
    });
  }

  test("a hostile argument reaches the screen as escapes", async () => {
    const { stderr } = await ran(["--\u001b[31m", "--", "s"]);
    expect(stderr).toContain("--\\u001b[31m");
  });

  test("--version is the version, of any command", async () => {
    for (const argv of [["--version"], ["report", "--version"], ["--version", "--", "s"]]) {
      expect(await ran(argv)).toEqual({ ending: { code: 0 }, stdout: `${version}\n`, stderr: "" });
    }
  });

  test("flags come before the environment, that before the file", async () => {
    using folder = new Folder();
    const config = folder.file("c.json", '{"window": 0.5}');
    const env = { MCP_METER_WINDOW: "from env", MCP_METER_CONFIG: config };
    expect((await ran(["--", "s"], { MCP_METER_CONFIG: config })).stderr).toContain("c.json");
    const valid = folder.file("v.json", '{"summary": "json", "exit_code": "child"}');
    const said = async (argv: readonly string[], more: { [name: string]: string }) =>
      (await ran([...argv, "--", "/nowhere"], { MCP_METER_CONFIG: valid, ...more })).stderr;
    expect(await said([], { MCP_METER_SUMMARY: "from env" })).toContain('"from env"');
    expect(await said(["--summary", "from flag"], { MCP_METER_SUMMARY: "from env" })).toContain(
      '"from flag"',
    );
    expect(await said(["--window", "1"], { MCP_METER_WINDOW: env.MCP_METER_WINDOW })).toContain(
      "/nowhere",
    );
  });

  test("an empty environment variable is none", async () => {
    expect((await ran(["--", "/nowhere"], { MCP_METER_WINDOW: "" })).ending).toEqual({ code: 127 });
  });
});
