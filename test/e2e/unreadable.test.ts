import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { has } from "../support/needs.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { executable } from "../support/servers.ts";
import { type Home, makeHome, runBare, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const [isRoot, nobody] = [process.getuid?.() === 0, 65_534];
const asOther = isRoot
  ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
  : [];

const canRun =
  process.platform === "linux" && (!isRoot || has("setpriv", "folders that cannot be read"));

let home: Home;
let state: string;
let program: string;

function own(path: string): string {
  if (isRoot) chownSync(path, nobody, nobody);
  return path;
}

const folder = (...names: readonly string[]): string => {
  const path = join(state, ...names);
  mkdirSync(path, { mode: 0o700 });
  return own(path);
};

beforeEach(() => {
  home = makeHome();
  own(home.path);
  program = join(home.path, "mcp-meter-copy");
  copyFileSync(executable(), program);
  chmodSync(program, 0o755);
  own(program);
  state = join(home.path, "state", "mcp-meter");
  mkdirSync(join(home.path, "state"));
  own(join(home.path, "state"));
  for (const names of [[], ["sessions"], ["spills"]]) folder(...names);
  for (const day of ["2026-01-01", "2026-01-02"]) {
    const common = { session_id: day, ts: `${day}T12:00:00.000Z` };
    const records = [sessionRecord(common), callRecord({ ...common, seq: 1 })];
    const file = join(folder("sessions", day), "120000-garden-01234567.ndjson");
    writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    utimesSync(own(file), 1_767_268_800, 1_767_268_800);
  }
  chmodSync(join(state, "sessions", "2026-01-02"), 0);
  chmodSync(join(state, "spills"), 0);
});

afterEach(() => {
  chmodSync(join(state, "sessions", "2026-01-02"), 0o700);
  chmodSync(join(state, "spills"), 0o700);
  home.remove();
});

const run = (...words: readonly string[]) =>
  runBare([...asOther, program, ...words], { env: home.env, cwd: home.path });

const unreadable = (...names: readonly string[]): string =>
  `mcp-meter: Cannot read "${join(state, ...names)}": permission denied\n`;

test.skipIf(!canRun)("an output that can be written where nothing can be created", async () => {
  const fixed = folder("fixed");
  const file = join(fixed, "budgets.json");
  writeFileSync(file, "");
  own(file);
  chmodSync(fixed, 0o500);
  for (const output of ["/dev/null", file]) {
    const { status, stderr } = await run("budgets", "--json", "-o", output);
    expect([status, stderr]).toEqual([0, ""]);
  }
  expect(readFileSync(file, "utf8")).toStartWith("{");
});

test.skipIf(!canRun)("report, doctor and prune", async () => {
  const report = await run("report", "--since", "2026-01-01", "--by", "day");
  expect([report.status, report.stderr]).toEqual([0, unreadable("sessions", "2026-01-02")]);
  expect(report.stdout).toContain("2026-01-01");

  const doctor = await run("doctor");
  expect(doctor.stdout).toContain("2 folders in the state folder cannot be read or written");
  expect(doctor.stdout).toContain(`chmod -R u+rwX ${state}`);

  const prune = await run("prune", "--older-than", "30d", "--yes");
  expect([prune.status, prune.stderr]).toEqual([
    1,
    unreadable("sessions", "2026-01-02") + unreadable("spills"),
  ]);
  expect(prune.stdout).toStartWith("Removed 1 file");
});
