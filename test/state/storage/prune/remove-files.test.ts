import { describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { removeFiles } from "#state/storage/prune/remove-files.ts";
import type { PrunableFile } from "#state/storage/prune/choose-files.ts";
import { readTotals, writeTotals } from "#state/storage/prune/totals-file.ts";
import { Folder, rejectionOf } from "../../../support/folder.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";

function session(folder: Folder, name: string): PrunableFile {
  mkdirSync(folder.at("sessions", "2026-09-01"), { recursive: true });
  const ids = { session_id: name };
  const lines = [sessionRecord(ids), callRecord({ ...ids, seq: 1 })].map((record) =>
    JSON.stringify(record),
  );
  const path = folder.file(`sessions/2026-09-01/${name}.ndjson`, `${lines.join("\n")}\ntorn`);
  return { path, kind: "records", bytes: statSync(path).size, changedMs: 0 };
}

function counted(folder: Folder): readonly [calls: number, sessions: number] {
  const totals = readTotals(folder.path)?.totals ?? [];
  const sum = (pick: (total: (typeof totals)[number]) => number): number =>
    totals.reduce((before, total) => before + pick(total), 0);
  return [sum(({ sums }) => sums.calls), sum(({ sessions }) => sessions)];
}

describe("removeFiles", () => {
  test("removes files and empty folders, and keeps the totals", async () => {
    using folder = new Folder();
    const files = [session(folder, "a"), session(folder, "b")];
    const { removed, failed } = await removeFiles(folder.path, files, "Europe/Berlin");
    expect([removed, failed]).toEqual([files, 0]);
    expect(existsSync(folder.at("sessions", "2026-09-01"))).toBe(false);
    expect(counted(folder)).toEqual([2, 2]);
    expect(readTotals(folder.path)).toMatchObject({
      zone: { name: "Europe/Berlin" },
      removing: [],
    });
    await removeFiles(folder.path, [session(folder, "c")], "UTC");
    expect(counted(folder)).toEqual([3, 3]);
    expect(readTotals(folder.path)?.zone.name).toBe("Europe/Berlin");
  });

  test("a process that was killed before it removed its files counts none twice", async () => {
    using folder = new Folder();
    const file = session(folder, "a");
    await removeFiles(folder.path, [file], "UTC");
    const before = readTotals(folder.path);
    if (!before) return expect.unreachable();
    session(folder, "a");
    writeTotals(folder.path, { ...before, removing: ["sessions/2026-09-01/a.ndjson"] });
    await removeFiles(folder.path, [], "UTC");
    expect(existsSync(file.path)).toBe(false);
    expect(counted(folder)).toEqual([1, 1]);
    expect(readTotals(folder.path)?.removing).toEqual([]);
  });

  test("a file that the totals name already is removed and not counted again", async () => {
    using folder = new Folder();
    const [file, second] = [session(folder, "a"), session(folder, "b")];
    await removeFiles(folder.path, [file, second], "UTC");
    const totals = readTotals(folder.path) ?? expect.unreachable();
    session(folder, "a");
    writeTotals(folder.path, { ...totals, removing: ["sessions/2026-09-01/a.ndjson"] });
    const { removed, failed } = await removeFiles(folder.path, [file], "UTC");
    expect([removed, failed, counted(folder)]).toEqual([[file], 0, [2, 2]]);
    expect(readTotals(folder.path)?.removing).toEqual([]);
  });

  test("what an earlier run could not remove stays named, and is not counted again", async () => {
    using folder = new Folder();
    const file = session(folder, "a");
    mkdirSync(folder.at("sessions/2026-09-01/stuck.ndjson"));
    const stuck: PrunableFile = { ...file, path: folder.at("sessions/2026-09-01/stuck.ndjson") };
    const removing = ["sessions/2026-09-01/stuck.ndjson"];
    writeTotals(folder.path, { zone: new TimeZone("UTC"), removing, totals: [] });
    const { removed, failed } = await removeFiles(folder.path, [stuck, file], "UTC");
    expect([removed, failed, counted(folder)]).toEqual([[file], 1, [1, 1]]);
    expect(readTotals(folder.path)?.removing).toEqual(removing);
  });

  test("a file that vanishes or cannot be read does not keep the others", async () => {
    using folder = new Folder();
    const [file, second] = [session(folder, "a"), session(folder, "b")];
    const gone: PrunableFile = { ...file, path: folder.at("sessions/2026-09-01/gone.ndjson") };
    mkdirSync(folder.at("sessions/2026-09-01/broken.ndjson"));
    const broken: PrunableFile = { ...file, path: folder.at("sessions/2026-09-01/broken.ndjson") };
    const { removed, failed } = await removeFiles(folder.path, [file, gone, broken, second], "UTC");
    expect([removed, failed, counted(folder)]).toEqual([[file, second], 1, [2, 2]]);
  });

  test("saved answers are in no totals", async () => {
    using folder = new Folder();
    mkdirSync(folder.at("spills"));
    const path = folder.file("spills/a.json", "{}");
    await removeFiles(folder.path, [{ path, kind: "answer", bytes: 2, changedMs: 0 }], "UTC");
    expect([existsSync(path), readTotals(folder.path)]).toEqual([false, undefined]);
  });

  test("nothing is removed while another process does, or where totals cannot be read or written", async () => {
    using folder = new Folder();
    const file = session(folder, "a");
    const fd = openSync(folder.file("prune.lock", ""), "r");
    tryExclusiveFlock(fd);
    expect(await rejectionOf(removeFiles(folder.path, [file], "UTC"))).toContain("another process");
    closeSync(fd);
    folder.file("day-totals.json", "damaged");
    expect(await rejectionOf(removeFiles(folder.path, [file], "UTC"))).toContain(
      "Cannot read the totals",
    );
    expect(readFileSync(folder.at("day-totals.json"), "utf8")).toBe("damaged");
    expect(existsSync(file.path)).toBe(true);
  });
});
