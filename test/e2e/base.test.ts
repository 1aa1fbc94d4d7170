import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { withGit } from "../support/git.ts";
import { has } from "../support/needs.ts";
import { replay, scratch } from "../support/replay.ts";
import { makeHome, runMeter, startMeter } from "./run.ts";

setDefaultTimeout(60_000);

const hasGit = has("git", "the lock of a base branch");

const home = makeHome();
const folder = scratch();
afterAll(() => home.remove());

const tool = (description: string) => ({
  name: "search",
  description,
  inputSchema: { type: "object", properties: { q: { type: "string" } } },
});
const serverOf = (name: string, ...tools: readonly object[]): string[] =>
  replay(folder.write(`${name}.json`, { server: "one", version: "1", tools }));
const before = serverOf("before", tool("Search"));
const after = serverOf("after", tool("Search all things by their words"), {
  name: "new",
  inputSchema: { type: "object" },
});

async function pullRequest() {
  const repo = withGit();
  const meter = (...args: readonly string[]) => runMeter(home, args, { cwd: repo.path });
  await meter("lock", "--", ...before);
  repo.commit();
  repo.git("checkout", "--quiet", "-b", "change");
  return { ...repo, meter, lockFile: join(repo.path, "mcp-meter.lock") };
}

describe.skipIf(!hasGit)("check --base", () => {
  test("passes a change that the lock has, and its comment has before, after and change", async () => {
    using repo = await pullRequest();
    await repo.meter("lock", "--", ...after);
    const args = ["check", "--base", "main", "--format", "markdown", "--", ...after];
    const { status, stdout, stderr } = await repo.meter(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [marker, , title] = stdout.split("\n");
    expect(marker).toBe("<!-- mcp-meter check: mcp-meter.lock -->");
    expect(title).toMatch(
      /^### Passed: `one 1`, 2 tools, \d+ tokens, \d+ tokens more than `main`$/,
    );
    expect(stdout).toContain("| tool | before | after | change |");
    expect(stdout).toMatch(/\| `search` \| \d+ \| \d+ \| \+5 \(\+\d+%\) \|/);
    expect(stdout).toMatch(/\| `new` \| {2}\| \d+ \| new \|/);
    expect(stdout).toContain("<details><summary>Diff</summary>");
    expect(stdout).toContain('+ "description": "Search all things by their words"');
  });

  test("measures --max-increase from the base, whatever the lock says", async () => {
    using repo = await pullRequest();
    await repo.meter("lock", "--", ...after);
    const limited = ["check", "--max-increase", "5%"];
    expect(await repo.meter(...limited, "--", ...after)).toMatchObject({ status: 0 });
    const { status, stdout } = await repo.meter(...limited, "--base", "main", "--", ...after);
    expect(status).toBe(1);
    expect(stdout).toContain("over --max-increase");
  });

  test("compares with a file, and counts another estimator's lock again", async () => {
    using repo = await pullRequest();
    const base = folder.write("base.lock", "");
    rmSync(base);
    await repo.meter("lock", "--tokenizer", "chars4", "--lock", base, "--", ...before);
    const args = ["check", "--format", "json", "--base", base, "--", ...before];
    const { status, stdout } = await repo.meter(...args);
    expect(status).toBe(0);
    const { definitions } = JSON.parse(stdout);
    expect(definitions.base).toMatchObject({ name: base, costs: [], drifts: [] });
    expect(definitions.base.total_tokens).toEqual(definitions.total_tokens);
  });

  test.each([
    ["--base=--output=stolen", "--base must be a git revision or a lock file"],
    ["--base=./nowhere", 'Cannot find the base "./nowhere": no such file'],
  ])("ends with 2 for %s", async (option, reason) => {
    using repo = await pullRequest();
    const { status, stdout, stderr } = await repo.meter("check", option, "--", ...before);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(existsSync(join(repo.path, "stolen"))).toBe(false);
  });

  test("ends with 2 without git", async () => {
    using repo = await pullRequest();
    const bin = join(folder.path, "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, "bun"));
    const { status, stderr } = await startMeter(
      home,
      ["check", "--base", "main", "--", ...before],
      {
        cwd: repo.path,
        env: { PATH: bin },
      },
    );
    expect(status).toBe(2);
    expect(stderr).toContain('Cannot read the lock of "main": git is not on the PATH');
  });
});

test.skipIf(!hasGit)("lock --check --base compares too, and does not write", async () => {
  using repo = await pullRequest();
  await repo.meter("lock", "--", ...after);
  const text = readFileSync(repo.lockFile, "utf8");
  const args = ["lock", "--check", "--base", "main", "--", ...after];
  const { status, stdout } = await repo.meter(...args);
  expect(status).toBe(0);
  expect(stdout).toContain("base  main: 2 definitions changed, ");
  expect(readFileSync(repo.lockFile, "utf8")).toBe(text);
});
