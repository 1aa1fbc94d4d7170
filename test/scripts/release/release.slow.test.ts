// The release script in a repository of its own, with the files of this one.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { has } from "../../support/needs.ts";
import { withGit } from "../../support/git.ts";
import { version } from "#version.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..", "..");

const isThere = has("git", "releases");

let repository: ReturnType<typeof withGit>;

beforeAll(() => {
  repository = withGit();
  for (const name of [
    "package.json",
    "CHANGELOG.md",
    "docs",
    "src",
    "scripts",
    "dist/validators",
  ]) {
    cpSync(join(root, name), join(repository.path, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(repository.path, "node_modules"));
  repository.write(".gitignore", "node_modules\ndist\n");
  repository.commit();
});

afterAll(() => repository[Symbol.dispose]());

function release(...words: readonly string[]): { status: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, "scripts/release.ts", ...words],
    {
      cwd: repository.path,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "me",
        GIT_AUTHOR_EMAIL: "me@example.org",
        GIT_COMMITTER_NAME: "me",
        GIT_COMMITTER_EMAIL: "me@example.org",
      },
    },
  );
  return { status: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

const read = (name: string): string => readFileSync(join(repository.path, name), "utf8");

const state = (): string[] => [
  repository.git("rev-parse", "HEAD"),
  repository.git("status", "--porcelain"),
  repository.git("tag", "--list"),
];

test.skipIf(!isThere)("a dry run prints the difference and changes nothing", () => {
  const before = state();
  const { status, stdout, stderr } = release("7.8.9", "--dry-run");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\+## \[7\.8\.9\] - \d{4}-\d{2}-\d{2}$/m);
  expect(stdout).toContain(`-  "version": "${version}",\n+  "version": "7.8.9",\n`);
  expect(stdout).toContain("+.Os mcp\\-meter 7.8.9\n");
  expect(state()).toEqual(before);
});

test.skipIf(!isThere)("mistakes are one sentence, and change nothing", () => {
  const before = state();
  for (const [words, sentence] of [
    [[], "use: bun scripts/release.ts VERSION [--dry-run]"],
    [["1.0.0", "2.0.0"], "use: bun scripts/release.ts VERSION [--dry-run]"],
    [["next"], '"next" is not a version such as 1.2.3 or 1.2.3-rc.1'],
    [["0.0.1"], `0.0.1 is before the current version, ${version}`],
  ] as const) {
    expect(release(...words)).toEqual({ status: 1, stdout: "", stderr: `release: ${sentence}\n` });
  }
  repository.git("tag", "v7.0.0");
  expect(release("7.0.0").stderr).toBe("release: the tag v7.0.0 is there already\n");
  repository.git("tag", "--delete", "v7.0.0");
  repository.write("stray", "");
  expect(release("7.8.9").stderr).toBe(
    "release: commit or remove these changes first:\n?? stray\n",
  );
  repository.git("clean", "--quiet", "--force", "--", "stray");
  expect(state()).toEqual(before);
});

test.skipIf(!isThere)("a release is one commit and an annotated tag", () => {
  const parent = repository.git("rev-parse", "HEAD");
  const { status, stdout, stderr } = release("7.8.9");
  expect([status, stdout, stderr]).toEqual([
    0,
    "Committed and tagged v7.8.9; nothing was pushed or published\n",
    "",
  ]);
  expect(repository.git("rev-parse", "HEAD~1")).toBe(parent);
  expect(repository.git("log", "-1", "--format=%s")).toBe("Release 7.8.9\n");
  expect(repository.git("cat-file", "-t", "v7.8.9")).toBe("tag\n");
  expect(repository.git("rev-parse", "v7.8.9^{commit}")).toBe(repository.git("rev-parse", "HEAD"));
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(repository.git("show", "--stat", "--format=").match(/\S+(?= +\|)/g)).toEqual([
    "CHANGELOG.md",
    "docs/mcp-meter.1",
    "package.json",
  ]);
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: "7.8.9" });
  expect(read("CHANGELOG.md")).toMatch(
    /## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d{2}-\d{2}\n\n### /,
  );
  const [, year] = /^\.Dd [A-Z][a-z]+ \d+, (\d{4})$/m.exec(read("docs/mcp-meter.1")) ?? [];
  expect(Number(year)).toBeGreaterThan(2025);
  // The changes are released now.
  expect(release("7.8.10").stderr).toBe("release: CHANGELOG.md has no unreleased change\n");
});
