import { expect, test } from "bun:test";
import { execa } from "execa";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sha256 } from "#kit/os/hash.ts";
import { packedRecordsEnding } from "#state/storage/compressed-files.ts";
import { logsFolder } from "../support/logs.ts";
import { executable } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, startMeter } from "./run.ts";

const home = eachHome();

const session = "22222222-bbbb-4bbb-8bbb-222222222222";

const sessions = 150;

const kills = 8;

function makeHistory(): string {
  const from = join(logsFolder, "claude-code/.claude/projects/-work-demo");
  const text = readFileSync(join(from, `${session}.jsonl`), "utf8");
  const folder = join(home.path, "history/.claude/projects/-work-demo");
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < sessions; index += 1) {
    const id = `22222222-bbbb-4bbb-8bbb-${String(index).padStart(12, "0")}`;
    const unique = text.replaceAll(session, id).replaceAll(/(msg|req|toolu)_/g, `$1_${index}_`);
    writeFileSync(join(folder, `${id}.jsonl`), unique);
  }
  return join(home.path, "history");
}

const state = () => join(home.path, "state/mcp-meter");

const listRecords = (): readonly string[] =>
  filesBelow(join(state(), "imports"))
    .filter((file) => file.endsWith(packedRecordsEnding))
    .toSorted()
    .map((file) => `${relative(state(), file)} ${sha256(readFileSync(file))}`);

test("an import that is killed at any moment and started again leaves the same records (slow)", async () => {
  const from = makeHistory();
  const args = ["import", "--from", from];
  const began = performance.now();
  const { stdout } = await startMeter(home, args);
  const durationMs = performance.now() - began;
  const records = listRecords();
  expect(records.length).toBe(sessions);
  let killed = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    for (const name of ["imports", "import-cache"]) {
      rmSync(join(state(), name), { recursive: true, force: true });
    }
    const run = execa(executable(), args, { env: home.env, reject: false });
    await Bun.sleep((durationMs * (kill + 1)) / kills);
    run.kill("SIGKILL");
    const { signal } = await run;
    if (signal === "SIGKILL") killed += 1;
    expect((await startMeter(home, args)).stdout).toBe(stdout);
    expect(listRecords()).toEqual(records);
  }
  expect(killed).toBeGreaterThan(0);
});
