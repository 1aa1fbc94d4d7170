import { expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { ownSchema } from "../support/report-schemas.ts";
import { small } from "../support/servers.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([["echo", { message: "hello" }]]);

const session = (...options: readonly string[]) =>
  runMeter(home, ["--summary", "off", ...options, "--", ...small().argv], { input });

const idFile = () => join(home.path, "state", "mcp-meter", "machine-id");

const machines = (): unknown[] =>
  home.logs().flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes('"type":"session"'))
      .map((line) => JSON.parse(line).machine),
  );

test("two sessions have one random id, and reports of their records do", async () => {
  await session();
  await session();
  const id = readFileSync(idFile(), "utf8");
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(id).not.toContain(Buffer.from(hostname()).toString("hex"));
  expect([statSync(idFile()).mode & 0o777, machines()]).toEqual([0o600, [id, id]]);
  const json = await runMeter(home, ["report", "--by", "machine", "--json"]);
  const report = JSON.parse(json.stdout);
  const validate = ownSchema("report");
  expect([validate(report), validate.errors]).toEqual([true, null]);
  expect(report.machine).toBe(id);
  expect(report.blocks[0].tables[0].rows).toMatchObject([{ machine: id, sessions: 2, calls: 2 }]);
  const csv = await runMeter(home, ["report", "--by", "day", "--format", "csv"]);
  const [head = "", row = ""] = csv.stdout.split("\n");
  expect([head.split(",").at(-1), row.split(",").at(-1)]).toEqual(["machine", id]);
  const table = await runMeter(home, ["report", "--by", "machine"]);
  expect(table.stdout).toContain(id);
});

test("a report of named files has none of its own, and one of the user takes its place", async () => {
  await session();
  const named = await runMeter(home, ["report", ...home.logs(), "--by", "day", "--json"]);
  expect(JSON.parse(named.stdout)).not.toHaveProperty("machine");
  const own = await runMeter(home, ["report", "--json", "--machine", "inventory-117"]);
  expect(JSON.parse(own.stdout).machine).toBe("inventory-117");
});

test("off makes and records none; an id of the user is recorded (slow)", async () => {
  await session("--machine", "off");
  await session("--log", "off");
  expect(filesBelow(home.path).filter((file) => file.endsWith("machine-id"))).toEqual([]);
  expect(machines()).toEqual([undefined]);
  const off = await runMeter(home, ["report", "--by", "machine", "--json"]);
  const report = JSON.parse(off.stdout);
  expect(report).not.toHaveProperty("machine");
  expect(report.blocks[0].tables[0].rows).toMatchObject([{ machine: null, sessions: 1 }]);
  await session("--machine", "inventory-117");
  expect(new Set(machines())).toEqual(new Set(["inventory-117", undefined]));
});

const places: readonly (readonly [name: string, make: (path: string) => void])[] = [
  ["a pipe", (path) => void Bun.spawnSync(["mkfifo", path])],
  ["a folder", (path) => mkdirSync(path)],
  ["a link to another file", (path) => symlinkSync("/etc/hostname", path)],
  ["a link to nothing", (path) => symlinkSync("/nowhere", path)],
];

async function finding(): Promise<unknown> {
  const { stdout } = await runMeter(home, ["doctor", "--json"]);
  const report: { findings: readonly { check: string }[] } = JSON.parse(stdout);
  return report.findings.find(({ check }) => check === "machine id");
}

eachFirst(1, [
  ["a half", "0123456789abcdef"],
  ["nothing", ""],
  ["a text", "\u001b[2J".repeat(99)],
])("row 102: %s as the id: the session makes another, and doctor says so", async (_, text) => {
  mkdirSync(dirname(idFile()), { recursive: true, mode: 0o700 });
  writeFileSync(idFile(), text, { mode: 0o600 });
  expect(await finding()).toMatchObject({
    status: "warning",
    detail: `${idFile()} is empty or damaged; the next session creates a new id`,
    fix: `rm ${idFile()}`,
  });
  const run = await session();
  expect([run.status, run.stderr]).toEqual([0, ""]);
  await session();
  const id = readFileSync(idFile(), "utf8");
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(machines()).toEqual([id, id]);
  expect(await finding()).toMatchObject({
    status: "warning",
    detail: `${idFile()} was damaged; since its repair, records have the new id ${id}`,
    fix: `rm ${idFile()}.damaged`,
  });
});

test.each(places)(
  "row 102: %s in place of the id: the session goes on, its records have none",
  async (_name, make) => {
    mkdirSync(dirname(idFile()), { recursive: true });
    make(idFile());
    const before = lstatSync(idFile());
    const run = await session();
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toContain("hello");
    expect(machines()).toEqual([undefined]);
    const after = lstatSync(idFile());
    expect([after.ino, after.size]).toEqual([before.ino, before.size]);
  },
);
