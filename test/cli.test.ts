import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli, splitArguments } from "../src/cli.ts";
import { commandNames } from "#commands/command-names.ts";
import { version } from "#kit/version.ts";
import { fakeIo } from "./support/fake-io.ts";
import { Folder } from "./support/folder.ts";
import { ownSchema } from "./support/report-schemas.ts";

const serveInstead =
  'to meter a server behind a URL, write "mcp-meter serve --url https://example.com/mcp"';

describe("splitArguments", () => {
  type Row = readonly [
    argv: readonly string[],
    name: string,
    words: readonly string[],
    child: readonly string[] | undefined,
    isCommandNamed?: boolean,
  ];
  const rows: readonly Row[] = [
    [[], "run", [], undefined],
    [["--"], "run", [], []],
    [["--", "node", "s.js"], "run", [], ["node", "s.js"]],
    [["run", "--log", "-", "--", "s"], "run", ["--log", "-"], ["s"], true],
    [["--log", "-", "--", "run", "--", "x"], "run", ["--log", "-"], ["run", "--", "x"]],
    [["report", "a", "b"], "report", ["a", "b"], undefined, true],
    [["report", "--", "-a"], "report", [], ["-a"], true],
    [["help"], "help", [], undefined, true],
    [["help", "report"], "help", ["report"], undefined, true],
    [["npx", "s"], "run", ["npx", "s"], undefined],
    [["--", "007", "", "--flag=1", "é"], "run", [], ["007", "", "--flag=1", "é"]],
    [["constructor"], "run", ["constructor"], undefined],
    [["__proto__"], "run", ["__proto__"], undefined],
    [["--server", "report", "--", "s"], "run", ["--server", "report"], ["s"]],
  ];
  for (const [argv, name, words, child, isCommandNamed = false] of rows) {
    test(JSON.stringify(argv), () => {
      expect(splitArguments(argv)).toEqual({ name, isCommandNamed, words, child });
    });
  }
});

async function run(argv: readonly string[], env: { [name: string]: string } = {}) {
  const { io, stdout, stderr } = fakeIo({ argv, env });
  const ending = await runCli(io);
  return { ending, stdout: stdout(), stderr: stderr() };
}

describe("runCli", () => {
  test("a client by which a report filters sessions is not a reader: any name will do", async () => {
    using folder = new Folder();
    const line = ["report", folder.path, "--by", "day", "--client", "nobody", "--client", "x*"];
    const { ending, stderr } = await run(line);
    expect([ending, stderr]).toEqual([{ code: 0 }, ""]);
  });

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
    [["https://host/mcp?key=1"], 125, `unknown command; ${serveInstead}`],
    [["run", "https://host/mcp?key=1"], 125, `unknown command; ${serveInstead}`],
    [["--url", "https://host/mcp?key=1"], 125, `unknown option "--url"; ${serveInstead}`],
    [["reprot", "a.ndjson"], 125, 'unknown command "reprot"; did you mean "report"?'],
    [["reprot", "--json"], 125, 'unknown command "reprot"; did you mean "report"?'],
    [["stats"], 125, 'unknown command "stats"; did you mean "report"?'],
    [["usage", "--json"], 125, 'unknown command "usage"; did you mean "report"?'],
    [["Cost"], 125, 'unknown command "Cost"; did you mean "report"?'],
    [["help", "install"], 2, 'unknown command "install"; did you mean "wrap"?'],
    [["advice"], 125, 'unknown command "advice"; did you mean "report --advice"?'],
    [["hepl"], 125, 'unknown command "hepl"; did you mean "help"?'],
    [["help", "reprot"], 2, 'unknown command "reprot"; did you mean "report"?'],
    [["help", "__proto__"], 2, 'unknown command "__proto__"; list all with "mcp-meter help"'],
    [["--budegt", "5", "--", "s"], 125, 'unknown option "--budegt"; did you mean --budget?'],
    [["wrap", "--al"], 2, 'unknown option "--al"; did you mean --all?'],
    [["report", "--jsno", "x"], 2, 'unknown option "--jsno"; did you mean --json?'],
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
      'Cannot start "/nowhere/at/all": command not found; use a path, or the name of a program on the PATH',
    ],
    [["--", "https://host/mcp?key=1"], 125, `unknown command; ${serveInstead}`],
    [["--", "/etc/passwd"], 126, 'Cannot start "/etc/passwd": it is not executable'],
    [["--", "/"], 126, 'Cannot start "/": it is a directory'],
    ...["report", "metrics", "dash"].map(
      (command) => [[command], 2, "Cannot find the records: set HOME or XDG_STATE_HOME"] as const,
    ),
    [["report", "--log", "x"], 2, 'unknown option "--log"; see "mcp-meter report --help"'],
    [["report", "/nowhere"], 2, 'Cannot read "/nowhere": no such file or directory'],
    [
      ["prune", "--yes"],
      2,
      'missing rule; pass --older-than AGE, --keep-bytes SIZE or --imported NAME, as in "mcp-meter prune --older-than 90d"',
    ],
  ];
  for (const [argv, code, said] of mistakes) {
    test(`${JSON.stringify(argv)} ends with ${code} and one sentence, stdout empty`, async () => {
      expect(await run(argv)).toEqual({
        ending: { code },
        stdout: "",
        stderr: `mcp-meter: ${said}\n`,
      });
    });
  }

  test("with --json a failure is JSON too, except where stdout belongs to the protocol", async () => {
    const validate = ownSchema("failure");
    for (const [line, code] of [
      [["report", "--json", "/nowhere"], 2],
      [["report", "--json", "-o", "-", "/nowhere"], 2],
      [["report", "--format", "json", "--by", "minute"], 2],
      [["wrap", "--list", "--format=json"], 1],
      [["lock", "--json", "--nonsense"], 2],
    ] as const) {
      const { ending, stdout, stderr } = await run(line);
      expect(ending).toEqual({ code });
      const failure = JSON.parse(stdout);
      expect(validate(failure)).toBe(true);
      expect(failure).toMatchObject({ failed: true, exit_code: code });
      expect(stderr).toBe(`mcp-meter: ${failure.error}\n`);
    }
    for (const line of [
      ["--json", "--", "/nowhere"],
      ["report", "--json", "-o", "x", "/nowhere"],
      ["report", "--jsno", "--", "--json"],
      ["report", "/no --json where"],
    ]) {
      expect((await run(line)).stdout).toBe("");
    }
  });

  test.each([
    [["report", "DIR/a.ndjson"], "input"],
    [["report", "DIR"], "input"],
    [["report", "DIR/*.ndjson"], "input"],
    [["report", "DIR/c.json", "DIR/a.ndjson", "--by", "day", "--json"], "input"],
    [["metrics", "DIR/a.ndjson"], "input"],
    [["count", "--", "DIR/a.ndjson"], "input"],
    [["report", "DIR/c.json", "--prices", "DIR/a.ndjson"], "--prices file"],
    [["import", "--log", "DIR/a.ndjson"], "--log file"],
    [["wrap", "--file", "DIR/a.ndjson", "--dry-run"], "--file file"],
    [["unwrap", "--file", "DIR/a.ndjson", "--dry-run"], "--file file"],
    [["config", "--config", "DIR/a.ndjson"], "--config file"],
    [["profile", "--compare", "DIR/a.ndjson", "--configured"], "--compare file"],
    [["--log", "DIR/a.ndjson", "--", "/nowhere"], "--log file"],
  ])("%j refuses an output file that it also uses otherwise", async (words, kind) => {
    using folder = new Folder();
    const file = folder.file("a.ndjson", "{}\n");
    folder.file("c.json", "{}\n");
    symlinkSync(file, folder.at("link"));
    const isRun = words[0] === "--log";
    for (const output of [file, folder.at("link"), folder.at("x", "..", "a.ndjson")]) {
      const line = words.map((word) => word.replace("DIR", folder.path));
      const at = line.includes("--") ? line.indexOf("--") : line.length;
      for (const option of isRun ? ["--output", "--summary-file"] : ["-o"]) {
        const { ending, stderr } = await run(line.toSpliced(at, 0, option, output));
        expect(stderr).toContain(
          `Cannot write a report to "${output}": it is the ${kind}, which the report would overwrite`,
        );
        expect(ending).toEqual({ code: isRun ? 125 : 2 });
        expect(readFileSync(file, "utf8")).toBe("{}\n");
      }
    }
  });

  test.each(["a client's settings", "a record of the state folder"])(
    "no command writes a report over %s",
    async (what) => {
      using home = new Folder();
      const isSettings = what.includes("settings");
      const folder = home.at(isSettings ? ".cursor" : "state/mcp-meter/sessions/2026-11-30");
      mkdirSync(folder, { recursive: true });
      const file = join(folder, isSettings ? "mcp.json" : "a.ndjson");
      writeFileSync(file, "{}");
      const env = { HOME: home.path, XDG_STATE_HOME: home.at("state") };
      for (const command of [["wrap", "--list"], ["report"], ["doctor"], ["trim"]]) {
        const { ending, stderr } = await run([...command, "-o", file], env);
        const kind = isSettings ? "settings file of a client" : "input";
        expect(stderr).toContain(`it is the ${kind}, which the report would overwrite`);
        expect(ending).toEqual({ code: 2 });
      }
      expect(readFileSync(file, "utf8")).toBe("{}");
    },
  );

  test("an output file that no input names is written", async () => {
    using folder = new Folder();
    const input = folder.file("a.txt", "words");
    const output = folder.file("report.txt", "an earlier report");
    expect(await run(["count", input, "-o", output])).toMatchObject({ stderr: "" });
    expect(readFileSync(output, "utf8")).toBe("1\n");
  });

  test("a hostile argument is printed as escapes", async () => {
    const { stderr } = await run(["--\u001b[31m", "--", "s"]);
    expect(stderr).toContain("--\\u001b[31m");
  });

  test("--version is the version, of any command", async () => {
    for (const argv of [["--version"], ["-V"], ["report", "-V"], ["--version", "--", "s"]]) {
      expect(await run(argv)).toEqual({ ending: { code: 0 }, stdout: `${version}\n`, stderr: "" });
    }
  });

  test("help is the program's or a command's, however it is asked for", async () => {
    const program = (await run(["--help"])).stdout;
    expect(program).toContain("Commands:");
    for (const argv of [["-h"], ["help"], ["help", "-h"], ["--help", "--", "s"]]) {
      expect(await run(argv)).toEqual({ ending: { code: 0 }, stdout: program, stderr: "" });
    }
    const report = (await run(["report", "--help"])).stdout;
    expect(report).toContain("Usage: mcp-meter report");
    for (const argv of [
      ["report", "-h"],
      ["help", "report"],
    ]) {
      expect(await run(argv)).toEqual({ ending: { code: 0 }, stdout: report, stderr: "" });
    }
    const runHelp = (await run(["run", "--help"])).stdout;
    expect(runHelp).toContain("Usage: mcp-meter [run]");
    expect(runHelp).not.toContain("Commands:");
  });

  test.each([...commandNames])("%s has the same help by -h, --help and help", async (name) => {
    const [short, ...others] = [
      await run([name, "-h"]),
      await run([name, "--help"]),
      await run(["help", name]),
    ];
    expect(short).toMatchObject({ ending: { code: 0 }, stderr: "" });
    expect(short?.stdout).toContain(`mcp-meter ${name === "run" ? "[run]" : name}`);
    for (const form of others) expect(form).toEqual(short ?? expect.unreachable());
    expect((await run([name, "-V"])).stdout).toBe(`${version}\n`);
    expect(await run([name, "--hepl"])).toEqual({
      ending: { code: name === "run" ? 125 : 2 },
      stdout: "",
      stderr: 'mcp-meter: unknown option "--hepl"; did you mean --help?\n',
    });
  });

  test("an unknown variable of ours is reported with the nearest one, and ignored", async () => {
    const env = { MCP_METER_BUDEGT: "5", MCP_METER_WINDWO: "", METER: "x" };
    expect(await run(["--", "/nowhere"], env)).toEqual({
      ending: { code: 127 },
      stdout: "",
      stderr: [
        "mcp-meter: Ignoring unknown variable MCP_METER_BUDEGT; did you mean MCP_METER_BUDGET?",
        "mcp-meter: Ignoring unknown variable MCP_METER_WINDWO; did you mean MCP_METER_WINDOW?",
        'mcp-meter: Cannot start "/nowhere": command not found; use a path, or the name of a program on the PATH',
        "",
      ].join("\n"),
    });
  });

  test("the alias of a variable is read like the variable, with the same sentences", async () => {
    const [name, alias] = ["MCP_METER_TOKENIZER", "MCP_METER_COUNT_WITH"];
    const wrong = await run(["--", "/nowhere"], { [name]: "fruit" });
    expect(wrong.stderr).toContain("--tokenizer must be one of auto, ");
    expect(await run(["--", "/nowhere"], { [alias]: "fruit" })).toEqual(wrong);
    expect(await run(["--", "/nowhere"], { [name]: "o200k", [alias]: "claude" })).toEqual({
      ending: { code: 125 },
      stdout: "",
      stderr:
        "mcp-meter: Cannot use both MCP_METER_TOKENIZER and MCP_METER_COUNT_WITH: they set the same option to different values; unset one\n",
    });
  });

  test("a variable of another command is known", async () => {
    expect((await run(["--", "/nowhere"], { MCP_METER_JSON: "1" })).stderr).not.toContain(
      "Ignoring",
    );
  });

  test("flags override the environment, which overrides the file", async () => {
    using folder = new Folder();
    const config = folder.file("c.json", '{"window": 0.5}');
    const env = { MCP_METER_WINDOW: "from env", MCP_METER_CONFIG: config };
    expect((await run(["--", "s"], { MCP_METER_CONFIG: config })).stderr).toContain("c.json");
    const valid = folder.file("v.json", '{"summary": "json", "exit_code": "child"}');
    const said = async (argv: readonly string[], more: { [name: string]: string }) =>
      (await run([...argv, "--", "/nowhere"], { MCP_METER_CONFIG: valid, ...more })).stderr;
    expect(await said([], { MCP_METER_SUMMARY: "from env" })).toContain('"from env"');
    expect(await said(["--summary", "from flag"], { MCP_METER_SUMMARY: "from env" })).toContain(
      '"from flag"',
    );
    expect(await said(["--window", "1"], { MCP_METER_WINDOW: env.MCP_METER_WINDOW })).toContain(
      "/nowhere",
    );
  });

  test("an empty environment variable is ignored", async () => {
    expect((await run(["--", "/nowhere"], { MCP_METER_WINDOW: "" })).ending).toEqual({ code: 127 });
  });
});

test("without arguments, a terminal gets the first steps in ten lines, and nothing else does", async () => {
  const on = fakeIo({ stdout: { isTerminal: true } });
  const io = { ...on.io, stderr: { ...on.io.stderr, isTerminal: true } };
  expect(await runCli(io)).toEqual({ code: 125 });
  expect(on.stdout().trimEnd().split("\n")).toHaveLength(9);
  for (const command of ["wrap", "import", "report"]) {
    expect(on.stdout()).toContain(`mcp-meter ${command} `);
  }
  expect(on.stderr()).toBe("");
  const off = fakeIo({ stdout: { isTerminal: true } });
  expect(await runCli(off.io)).toEqual({ code: 125 });
  expect(off.stderr()).toStartWith("mcp-meter: missing command");
});
