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
      'Cannot run: there is no command, it must follow -- as in "mcp-meter -- npx -y some-server"',
    ],
    [
      ["--"],
      125,
      'Cannot run: there is no command, it must follow -- as in "mcp-meter -- npx -y some-server"',
    ],
    [
      ["npx", "server"],
      125,
      'Cannot run "npx server": it is no mcp-meter command, and a server\'s command must follow -- as in "mcp-meter -- npx server"',
    ],
    [
      ["--nonsense", "--", "s"],
      125,
      'Cannot read option "--nonsense": run has no such option, see "mcp-meter run --help"',
    ],
    [
      ["-x", "--", "s"],
      125,
      'Cannot read option "-x": run has no such option, see "mcp-meter run --help"',
    ],
    [
      ["--constructor", "--", "s"],
      125,
      'Cannot read option "--constructor": run has no such option, see "mcp-meter run --help"',
    ],
    [["--log"], 125, "Cannot read --log: it has no value, it must have one"],
    [["--log=", "--", "s"], 125, "Cannot read --log: it has no value, it must have one"],
    [
      ["--window", "lots", "--", "s"],
      125,
      'Cannot read --window: it is "lots", it must be a whole number of at least 1',
    ],
    [
      ["--", "/nowhere/at/all"],
      127,
      'Cannot start "/nowhere/at/all": there is no such program, it must be on the PATH or a path to a file',
    ],
    [
      ["--", "/etc/passwd"],
      126,
      'Cannot start "/etc/passwd": it is not executable, it must be an executable file',
    ],
    [["--", "/"], 126, 'Cannot start "/": it is a directory, it must be an executable file'],
    [
      ["report"],
      2,
      'Cannot report: there is no record file, name one or more as in "mcp-meter report FILE"',
    ],
    [
      ["report", "--log", "x"],
      2,
      'Cannot read option "--log": report has no such option, see "mcp-meter report --help"',
    ],
    [["report", "/nowhere"], 2, 'Cannot read "/nowhere": ENOENT'],
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
