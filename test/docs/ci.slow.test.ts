// The examples of docs/ci.md work: the action's steps and the pre-commit hook run as their hosts run them.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { planCalls } from "#check/planned-call.ts";
import { parseAmount } from "#text/amount.ts";
import { commands } from "#commands/index.ts";
import { makeHome } from "../e2e/run.ts";
import { replay, scratch } from "../support/replay.ts";
import { executable } from "../support/servers.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
const folder = scratch();
afterAll(() => folder.remove());

const document = readFileSync(join(root, "docs", "ci.md"), "utf8");
const yamlBlocks = [...document.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text ?? "");
const actionFile = join(root, ".github", "actions", "mcp-meter", "action.yml");

type Step = {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
};
type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};
const action = Bun.YAML.parse(readFileSync(actionFile, "utf8")) as Action;

const home = makeHome();
afterAll(() => home.remove());

const tools = [{ name: "search", inputSchema: { type: "object" } }];
const definitions = folder.write("listed.json", { server: "one", version: "1", tools });
const workspace = join(folder.path, "workspace");
/** The server's command as a shell reads it. */
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

/** Runs the check step as a runner does: inputs as its `env` says, in the workspace. */
async function runAction(inputs: Readonly<Record<string, string>>, summary: string) {
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
    GITHUB_STEP_SUMMARY: summary,
  };
  return execa("sh", ["-e", "-c", step?.run ?? ""], { cwd: workspace, env, reject: false });
}

describe("the action", () => {
  test("builds with an existing script, and has the documented inputs", () => {
    expect(action.runs.using).toBe("composite");
    const build = /with-bun" (\S+)$/.exec(action.runs.steps[0]?.run ?? "")?.[1] ?? "none";
    expect(readFileSync(join(root, build), "utf8")).toContain("dist");
    for (const input of Object.keys(action.inputs)) expect(document).toContain(`| \`${input}\``);
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  test("fails when a call is over its budget, and writes one annotation and a summary", async () => {
    const summary = folder.write("failed.md", "");
    const { exitCode, stdout } = await runAction(
      { executable: executable(), server, calls: "calls.yaml" },
      summary,
    );
    expect(exitCode).toBe(1);
    expect(stdout.split("\n").filter((line) => line.startsWith("::error "))).toHaveLength(1);
    expect(readFileSync(summary, "utf8")).toContain("### `one 1`");
  });

  test("passes with options, and writes a report beside it", async () => {
    const summary = folder.write("passed.md", "");
    const inputs = {
      executable: executable(),
      server,
      options: "--max-total 500 --timeout 20",
      report: "cost.sarif\nmy cost.xml\ncost.md\n",
    };
    const { exitCode } = await runAction(inputs, summary);
    expect(exitCode).toBe(0);
    const report: unknown = JSON.parse(readFileSync(join(workspace, "cost.sarif"), "utf8"));
    expect(report).toMatchObject({ version: "2.1.0" });
    expect(readFileSync(join(workspace, "my cost.xml"), "utf8")).toContain("<testsuites>");
    expect(readFileSync(join(workspace, "cost.md"), "utf8")).toStartWith("### ");
    expect(readFileSync(summary, "utf8").split("### ")).toHaveLength(2);
  });

  test("fails without the lock, which a pull request may delete", async () => {
    rmSync(lockFile);
    const { exitCode, stderr } = await runAction(
      { executable: executable(), server },
      folder.write("deleted.md", ""),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Cannot find the lock");
  });

  test("starts a server with any command that a shell reads", async () => {
    const command = `cd / && MODE=x ${server}`;
    const { exitCode, stderr } = await runAction(
      { executable: executable(), server: command },
      folder.write("shell.md", ""),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("prints the format that its options name", async () => {
    const inputs = { executable: executable(), server, options: "--format json", report: "a.md" };
    const { exitCode, stdout } = await runAction(inputs, folder.write("format.md", ""));
    expect({ exitCode, failed: JSON.parse(stdout).failed }).toEqual({ exitCode: 0, failed: false });
  });

  test("reports a mistake in its inputs", async () => {
    const summary = folder.write("mistake.md", "");
    const inputs = { executable: executable(), server, report: "cost.txt" };
    expect(await runAction(inputs, summary)).toMatchObject({ exitCode: 2 });
  });

  test("is used in the example with inputs it has", () => {
    type Workflow = {
      readonly jobs: {
        readonly cost: {
          readonly steps: readonly { readonly uses?: string; readonly with?: object }[];
        };
      };
    };
    const text = yamlBlocks.find((block) => block.startsWith("name: cost")) ?? "";
    const { steps } = (Bun.YAML.parse(text) as Workflow).jobs.cost;
    const used = steps.find(({ uses }) => uses?.endsWith("/mcp-meter"));
    expect(used?.uses).toBe("./.mcp-meter/.github/actions/mcp-meter");
    for (const input of Object.keys(used?.with ?? {})) expect(action.inputs).toHaveProperty(input);
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
    const bin = join(folder.path, "bin");
    mkdirSync(bin);
    symlinkSync(executable(), join(bin, "mcp-meter"));
    const env = { ...home.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` };
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
  expect(planCalls(Bun.YAML.parse(text), parseAmount)).toHaveProperty("calls");
  const named = [...document.matchAll(/`[^`\n]*--([a-z][a-z-]+)/g)].map(
    ([, option]) => option ?? "",
  );
  const known = new Set(
    [commands["check"], commands["lock"]].flatMap((spec) => Object.keys(spec?.options ?? {})),
  );
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});
