import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { readPlan } from "#commands/check/command.ts";
import { commands } from "#commands/index.ts";
import { makeHome } from "../e2e/run.ts";
import { replay, scratch } from "../support/replay.ts";
import { junitObjections, ownSchema, sarifSchema } from "../support/report-schemas.ts";
import { executable } from "../support/servers.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
const folder = scratch();
const document = readFileSync(join(root, "docs", "ci.md"), "utf8");
const yamlBlocks = [...document.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? "");
const actionFile = join(root, ".github", "actions", "mcp-meter", "action.yml");

type Step = {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
};
type Action = {
  readonly outputs: Readonly<Record<string, object>>;
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};
const action = Bun.YAML.parse(readFileSync(actionFile, "utf8")) as Action;

type Workflow = {
  readonly jobs: {
    readonly cost: {
      readonly steps: readonly {
        readonly uses?: string;
        readonly with?: object;
        readonly run?: string;
      }[];
    };
  };
};
const workflowText = yamlBlocks.find((block) => block.startsWith("name: cost")) ?? "";
const workflowSteps = (Bun.YAML.parse(workflowText) as Workflow).jobs.cost.steps;

const home = makeHome();
afterAll(() => home.remove());

function binFolder(): string {
  const bin = join(folder.path, "bin");
  if (!existsSync(bin)) {
    mkdirSync(bin);
    symlinkSync(executable(), join(bin, "mcp-meter"));
  }
  return bin;
}

const tools = [{ name: "search", inputSchema: { type: "object" } }];
const definitions = folder.write("listed.json", { server: "one", version: "1", tools });
const workspace = join(folder.path, "workspace");
const server = replay(definitions, "--answer=40")
  .map((word) => `'${word}'`)
  .join(" ");

const lockFile = join(workspace, "mcp-meter.lock");

beforeEach(async () => {
  mkdirSync(workspace, { recursive: true });
  await lock(server);
  writeFileSync(join(workspace, "calls.yaml"), "- { tool: search, budget: 20 }\n");
});

const lock = (command: string) =>
  execa("sh", ["-c", `'${executable()}' lock -- ${command}`], {
    cwd: workspace,
    env: home.env,
    reject: false,
  });

type Files = { readonly summary?: string; readonly output?: string };

async function runAction(inputs: Readonly<Record<string, string>>, files: Files = {}) {
  const step = action.runs.steps.find(({ name }) => name === "Check the server");
  const given = Object.entries(step?.env ?? {}).map(([variable, expression]) => {
    const input = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression)?.[1] ?? "";
    return [variable, inputs[input] ?? action.inputs[input]?.default ?? ""];
  });
  const env = {
    ...Object.fromEntries(given),
    ...home.env,
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: dirname(actionFile),
    GITHUB_STEP_SUMMARY: files.summary ?? "",
    GITHUB_OUTPUT: files.output ?? "",
    RUNNER_TEMP: folder.path,
  };
  return execa("sh", ["-e", "-c", step?.run ?? ""], { cwd: workspace, env, reject: false });
}

function outputsIn(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, "utf8").split("\n").values();
  const outputs: Record<string, string> = {};
  for (const line of lines) {
    const [, name, end] = /^(\w+)<<(.+)$/.exec(line) ?? [];
    if (name === undefined || end === undefined) {
      const [key = "", ...value] = line.split("=");
      if (line !== "") outputs[key] = value.join("=");
      continue;
    }
    const value: string[] = [];
    for (const inside of lines) {
      if (inside === end) break;
      value.push(inside);
    }
    outputs[name] = value.join("\n");
  }
  return outputs;
}

describe("the action", () => {
  test("has the documented inputs and outputs, and puts neither into a script", () => {
    expect(action.runs.using).toBe("composite");
    for (const input of Object.keys(action.inputs)) expect(document).toContain(`| \`${input}\``);
    for (const output of Object.keys(action.outputs)) {
      expect(document).toContain(`outputs.${output}`);
    }
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  test("downloads nothing: neither its steps nor its script name a program that does", () => {
    const script = readFileSync(join(dirname(actionFile), "check.sh"), "utf8");
    const steps = action.runs.steps.map(({ run }) => run).join("\n");
    expect(`${steps}\n${script}`).not.toMatch(
      /\b(?:curl|wget|np[mx]|bunx?|install|git|with-bun)\b/,
    );
  });

  test("fails when a call is over its budget, and writes one annotation and a summary", async () => {
    const summary = folder.write("failed.md", "");
    const { exitCode, stdout } = await runAction(
      { executable: executable(), server, calls: "calls.yaml" },
      { summary },
    );
    expect(exitCode).toBe(1);
    expect(stdout.split("\n").filter((line) => line.startsWith("::error "))).toHaveLength(1);
    expect(readFileSync(summary, "utf8")).toContain("### Failed: `one 1`");
  });

  test("starts a server as a shell does, writes three reports, and plays the calls once", async () => {
    const summary = folder.write("passed.md", "");
    const output = folder.write("passed.output", "");
    const requests = join(folder.path, "requests.ndjson");
    const inputs = {
      executable: executable(),
      server: `cd "${folder.path}" && NAME='a b' tee -a requests.ndjson | ${server}`,
      calls: "calls.yaml",
      options: "--max-total 500 --timeout 20",
      report: "cost.sarif\nmy cost.xml\ncost.md\n",
    };
    writeFileSync(join(workspace, "calls.yaml"), "- { tool: search, repeat: 2 }\n");
    const { exitCode, stderr } = await runAction(inputs, { summary, output });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(readFileSync(requests, "utf8").split('"tools/call"')).toHaveLength(3);
    const report: unknown = JSON.parse(readFileSync(join(workspace, "cost.sarif"), "utf8"));
    expect(report).toMatchObject({ version: "2.1.0" });
    expect(readFileSync(join(workspace, "my cost.xml"), "utf8")).toContain("<testsuites>");
    const comment = readFileSync(join(workspace, "cost.md"), "utf8");
    expect(comment.split("\n")[2]).toStartWith("### Passed: `one 1`");
    expect(readFileSync(summary, "utf8")).toBe(comment);
    expect(`${outputsIn(output)["comment"]}\n`).toBe(comment);
  });

  test("compares with a base", async () => {
    const base = join(workspace, "old.lock");
    copyFileSync(lockFile, base);
    const output = folder.write("base.output", "");
    const { exitCode } = await runAction(
      { executable: executable(), server, base: "./old.lock" },
      { output },
    );
    expect(exitCode).toBe(0);
    expect(outputsIn(output)["comment"]).toContain("the same number of tokens as `./old.lock`");
  });

  test("gives no output but the comment, whatever the server's texts are", async () => {
    const texts = ["comment", "EOF", "x=y", "comment<<EOF\nx\nEOF\nstolen=1"];
    const hostile = folder.write("hostile.json", {
      server: "one",
      version: "1",
      tools: texts.map((name) => ({ name, description: `\n${name}\n`, inputSchema: {} })),
    });
    const command = replay(hostile)
      .map((word) => `'${word}'`)
      .join(" ");
    const ends = new Set<string>();
    for (const name of ["one", "two"]) {
      const output = folder.write(`${name}.output`, "");
      const { exitCode } = await runAction(
        { executable: executable(), server: command },
        { output },
      );
      expect(exitCode).toBe(1);
      expect(Object.keys(outputsIn(output))).toEqual(["comment"]);
      ends.add(readFileSync(output, "utf8").split("\n")[0] ?? "");
    }
    expect(ends.size).toBe(2);
  });

  test("fails without the lock, which a pull request may delete, and its comment says so", async () => {
    const base = join(folder.path, "base.lock");
    copyFileSync(lockFile, base);
    rmSync(lockFile);
    const output = folder.write("deleted.output", "");
    const inputs = { executable: executable(), server, report: "deleted.xml" };
    const { exitCode, stderr } = await runAction(inputs, { output });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Cannot find the lock");
    expect(readFileSync(join(workspace, "deleted.xml"), "utf8")).toContain('errors="1"');
    expect(outputsIn(output)["comment"]).toContain("### Failed: the server could not be checked");
    const deleted = await runAction({ ...inputs, base }, { output });
    expect(deleted).toMatchObject({ exitCode: 2 });
    expect(deleted.stderr).toContain(`which "${base}" has`);
  });

  test("uses the mcp-meter on the PATH when there is no other, and fails without one", async () => {
    const checkout = join(folder.path, "checkout", ".github", "actions", "mcp-meter");
    mkdirSync(checkout, { recursive: true });
    const script = join(checkout, "check.sh");
    copyFileSync(join(dirname(actionFile), "check.sh"), script);
    const run = (path: string) =>
      execa("/bin/sh", [script], {
        cwd: workspace,
        env: { ...home.env, GITHUB_ACTION_PATH: checkout, SERVER: server, PATH: path },
        reject: false,
      });
    expect(await run("/usr/bin:/bin")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Cannot find mcp-meter"),
    });
    expect(await run(`${binFolder()}:/usr/bin:/bin`)).toMatchObject({ exitCode: 0 });
  });

  test("checks a server behind a url, and refuses two servers and none", async () => {
    const served = Bun.serve({ port: 0, fetch: () => new Response("", { status: 401 }) });
    const url = served.url.href;
    const wrong = [{ url, server }, {}].map((inputs) =>
      runAction({ executable: executable(), ...inputs }),
    );
    for (const { exitCode, stderr } of await Promise.all(wrong)) {
      expect(exitCode).toBe(2);
      expect(stderr).toContain("pass the input server or the input url");
    }
    const reached = await runAction({ executable: executable(), url });
    await served.stop(true);
    expect(reached.exitCode).toBe(3);
    expect(reached.stderr).toContain(new URL(url).origin);
  });

  test("prints the format that its options name", async () => {
    const inputs = { executable: executable(), server, options: "--format json", report: "a.md" };
    const { exitCode, stdout } = await runAction(inputs);
    expect({ exitCode, failed: JSON.parse(stdout).failed }).toEqual({ exitCode: 0, failed: false });
  });

  test("reports a mistake in its inputs", async () => {
    const output = folder.write("ending.output", "");
    const inputs = { executable: executable(), server, report: "cost.txt\nkept.json" };
    const { exitCode, stderr } = await runAction(inputs, { output });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot write the report "cost.txt": its name must end with .xml');
    expect(outputsIn(output)["comment"]).toContain("has another ending than .xml");
    expect(JSON.parse(readFileSync(join(workspace, "kept.json"), "utf8")).exit_code).toBe(2);
  });

  test("takes the names of reports from an indented block, with ends of lines of any kind", async () => {
    const inputs = {
      executable: executable(),
      server,
      report: "  indented one.xml\r\n\n\t indented.md \n",
    };
    expect(await runAction(inputs)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(workspace, "indented one.xml"))).toBe(true);
    expect(existsSync(join(workspace, "indented.md"))).toBe(true);
  });

  describe.each([
    ["an executable that is missing", { executable: "./no-such-meter" }, "Cannot find mcp-meter"],
    ["an executable that is none", { executable: "./calls.yaml" }, "could not begin the check"],
    ["an option that does not exist", { options: "--max-totl 5" }, "could not begin the check"],
    ["a wrong value of an option", { options: "--max-total lots" }, "could not begin the check"],
  ])("with %s", (_, wrong, reason) => {
    test("ends with 2, a comment, a summary and whole reports", async () => {
      const [summary, output] = [folder.write("wrong.md", ""), folder.write("wrong.output", "")];
      const names = ["wrong.xml", "wrong.sarif", "wrong.json", "wrong.md"];
      for (const name of names) rmSync(join(workspace, name), { force: true });
      const inputs = { executable: executable(), server, report: names.join("\n"), ...wrong };
      const { exitCode } = await runAction(inputs, { summary, output });
      expect(exitCode).toBe(2);
      const [xml = "", sarif = "", json = "", markdown = ""] = names.map((name) =>
        readFileSync(join(workspace, name), "utf8"),
      );
      expect(await junitObjections(xml)).toEqual([]);
      expect(xml).toContain('errors="1"');
      const [fitsSarif, fitsFailure] = [sarifSchema(), ownSchema("failure")];
      fitsSarif(JSON.parse(sarif));
      expect(fitsSarif.errors ?? []).toEqual([]);
      fitsFailure(JSON.parse(json));
      expect(fitsFailure.errors ?? []).toEqual([]);
      for (const text of [xml, sarif, json, markdown]) expect(text).toContain(reason);
      expect(markdown).toStartWith(
        "<!-- mcp-meter check: mcp-meter.lock -->\n\n### Failed: the server could not be checked\n",
      );
      expect(`${outputsIn(output)["comment"]}\n`).toBe(markdown);
      expect(readFileSync(summary, "utf8")).toBe(markdown);
    });
  });

  test("never writes its failure over an input that is named as a report", async () => {
    const calls = join(workspace, "input.json");
    writeFileSync(calls, '[{ "tool": "search" }]');
    const inputs = { executable: executable(), server, calls: "input.json", report: "input.json" };
    expect(await runAction(inputs)).toMatchObject({ exitCode: 2 });
    expect(readFileSync(calls, "utf8")).toBe('[{ "tool": "search" }]');
  });

  test("is used in the example with inputs it has", () => {
    const used = workflowSteps.find(({ uses }) => uses?.endsWith("/mcp-meter"));
    expect(used?.uses).toBe("./.mcp-meter/.github/actions/mcp-meter");
    for (const input of Object.keys(used?.with ?? {})) expect(action.inputs).toHaveProperty(input);
  });

  test("builds before, in the example, with a script that exists", () => {
    const build = workflowSteps.find(({ run }) => run?.includes("with-bun") === true)?.run ?? "";
    const [, runner = "", script = ""] = build.replaceAll(".mcp-meter/", "").split(" ");
    expect(existsSync(join(root, runner))).toBe(true);
    expect(readFileSync(join(root, script), "utf8")).toContain("dist");
  });

  test("is followed, in the example, by a step that writes one comment and keeps it", async () => {
    const step = workflowSteps.find(({ run }) => run?.includes("gh api") === true);
    expect(step?.run).not.toContain("${{");
    const bin = join(folder.path, "gh-bin");
    mkdirSync(bin);
    const marker = "<!-- mcp-meter check: a.lock -->";
    const gh = `#!/bin/sh
case "$*" in
*--paginate*) cat '${folder.path}/listed.tsv' ;;
*) echo "$*" >>'${folder.path}/sent.txt'; cat >>'${folder.path}/sent.txt'; echo >>'${folder.path}/sent.txt' ;;
esac
`;
    writeFileSync(join(bin, "gh"), gh, { mode: 0o755 });
    const sent = async (listed: string) => {
      folder.write("listed.tsv", listed);
      folder.write("sent.txt", "");
      const env = {
        PATH: `${bin}:/usr/bin:/bin`,
        COMMENT: `${marker}\n\n### Passed $(touch stolen)`,
        PULL: "repos/o/r/issues/1/comments",
      };
      await execa("bash", ["-e", "-c", step?.run ?? ""], {
        cwd: folder.path,
        env,
        extendEnv: false,
      });
      return readFileSync(join(folder.path, "sent.txt"), "utf8");
    };
    const body = `${marker}\n\n### Passed $(touch stolen)\n`;
    expect(await sent(`url/1\tOther\nurl/2\t${marker} more\n`)).toBe(
      `api --method POST repos/o/r/issues/1/comments --field body=@- --silent\n${body}`,
    );
    expect(await sent(`url/1\tOther\nurl/2\t${marker}\nurl/3\t${marker}\n`)).toBe(
      `api --method PATCH url/2 --field body=@- --silent\n${body}`,
    );
  });
});

describe("the pre-commit hook", () => {
  type Hooks = {
    readonly repos: readonly {
      readonly hooks: readonly { readonly entry: string; readonly files: string }[];
    }[];
  };
  const text = yamlBlocks.find((block) => block.startsWith("repos:")) ?? "";
  const [hook] = (Bun.YAML.parse(text) as Hooks).repos[0]?.hooks ?? [];

  test("passes, and fails after a change, with mcp-meter on the PATH", async () => {
    const env = { ...home.env, PATH: `${binFolder()}${delimiter}${process.env["PATH"] ?? ""}` };
    const entry = (hook?.entry ?? "").replace("node dist/server.js", server);
    const run = (line: string) => execa("sh", ["-c", line], { cwd: workspace, env, reject: false });
    expect(await run(`mcp-meter lock -- ${server}`)).toMatchObject({ exitCode: 0 });
    expect(await run(entry)).toMatchObject({ exitCode: 0 });
    folder.write("listed.json", {
      server: "one",
      version: "1",
      tools: [{ ...tools[0], description: "Obey." }],
    });
    expect(await run(entry)).toMatchObject({ exitCode: 1 });
  });

  test("runs for the server's sources and for the lock", () => {
    const files = new RegExp(hook?.files ?? "");
    expect(["src/tools.ts", "mcp-meter.lock", "README.md"].map((file) => files.test(file))).toEqual(
      [true, true, false],
    );
  });
});

test("the example of a calls file is valid, and every named option exists", () => {
  const text = yamlBlocks.find((block) => block.startsWith("# calls.yaml")) ?? "";
  expect(readPlan(folder.write("example.yaml", text), {}).calls).not.toEqual([]);
  const named = [...document.matchAll(/`[^`\n]*--([a-z][a-z-]+)/g)].map(
    ([, option]) => option ?? "",
  );
  const known = new Set(
    [commands["check"], commands["lock"], commands["profile"], commands["record"]].flatMap((spec) =>
      Object.keys(spec?.options ?? {}),
    ),
  );
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});
