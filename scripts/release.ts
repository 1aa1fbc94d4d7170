// Makes a release in this repository: bun scripts/release.ts VERSION [--dry-run]
// Moves the unreleased changes of CHANGELOG.md under the version and today's date, writes the version into package.json and
// the manual page, commits and tags. Publishes and pushes nothing. With --dry-run it prints the difference and changes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import packageJson from "../package.json" with { type: "json" };
import { currentManPage, manPath } from "./man/current-page.ts";
import { releasedChangelog } from "./release/changelog.ts";
import { checkVersion, withVersion } from "./release/version-number.ts";

const root = join(import.meta.dir, "..");

const git = execa({ cwd: root });

try {
  await release();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { "dry-run": { type: "boolean" } },
    allowPositionals: true,
  });
  const [version, unexpected] = positionals;
  if (version === undefined || unexpected !== undefined) {
    throw new Error("use: bun scripts/release.ts VERSION [--dry-run]");
  }
  await checkRepository(version);
  const files = releasedFiles(version, new Date().toISOString().slice(0, 10));
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  const paths = files.map(([path]) => path);
  if (values["dry-run"] === true) {
    const { stdout } = await git`git diff -- ${paths}`;
    await git`git checkout --quiet -- ${paths}`;
    console.log(stdout);
    return;
  }
  await git`git commit --quiet --message ${`Release ${version}`} -- ${paths}`;
  await git`git tag --annotate --message ${`mcp-meter ${version}`} ${`v${version}`}`;
  console.log(`Committed and tagged v${version}; nothing was pushed or published`);
}

async function checkRepository(version: string): Promise<void> {
  checkVersion(version, packageJson.version);
  const { stdout: changes } = await git`git status --porcelain`;
  if (changes !== "") throw new Error(`commit or remove these changes first:\n${changes}`);
  const { stdout: tags } = await git`git tag --list ${`v${version}`}`;
  if (tags !== "") throw new Error(`the tag v${version} is there already`);
}

function releasedFiles(version: string, date: string): readonly (readonly [string, string])[] {
  const changelog = releasedChangelog(read("CHANGELOG.md"), version, date);
  return [
    ["CHANGELOG.md", changelog],
    ["package.json", withVersion(read("package.json"), version)],
    [manPath, currentManPage({ version, changelog })],
  ];
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
