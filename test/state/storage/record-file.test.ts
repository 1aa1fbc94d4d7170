import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { RecordFile } from "#state/storage/record-file.ts";
import { Folder } from "../../support/folder.ts";

const open = (path: string): RecordFile =>
  new RecordFile(path, { isSynced: false, isMarkedInUse: false });

describe("RecordFile", () => {
  test("is made for its user alone, and appends what it is given", async () => {
    using folder = new Folder();
    const file = open(folder.at("r.ndjson"));
    expect(await file.append("one\n")).toBe(1);
    expect(await file.append("two\nthree\n")).toBe(2);
    expect(readFileSync(file.path, "utf8")).toBe("one\ntwo\nthree\n");
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  test("keeps the content and the mode of a file that exists", async () => {
    using folder = new Folder();
    const path = folder.file("r.ndjson", "old\n");
    chmodSync(path, 0o640);
    await open(path).append("new\n");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([
      "old\nnew\n",
      0o640,
    ]);
  });

  test("two writers share a file, and every line is whole", async () => {
    using folder = new Folder();
    const [first, second] = [open(folder.at("r")), open(folder.at("r"))];
    for (let at = 0; at < 50; at += 1) {
      await Promise.all([first.append(`one ${at}\n`), second.append(`other ${at}\n`)]);
    }
    const lines = readFileSync(first.path, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(100);
    expect(lines.every((line) => /^(?:one|other) \d+$/.test(line))).toBe(true);
  });

  test("follows a rotation within about a second", async () => {
    using folder = new Folder();
    const file = open(folder.at("r"));
    await file.append("before\n");
    renameSync(folder.at("r"), folder.at("r.1"));
    await Bun.sleep(1_050);
    await file.append("after\n");
    expect([readFileSync(folder.at("r.1"), "utf8"), readFileSync(folder.at("r"), "utf8")]).toEqual([
      "before\n",
      "after\n",
    ]);
  });

  test("writes with fsync too", async () => {
    using folder = new Folder();
    const file = new RecordFile(folder.at("r"), { isSynced: true, isMarkedInUse: false });
    expect(await file.append("one\n")).toBe(1);
    expect(readFileSync(file.path, "utf8")).toBe("one\n");
  });

  test("ends an incomplete line once", async () => {
    using folder = new Folder();
    const path = folder.file("r", "torn");
    const file = open(path);
    appendFileSync(path, " more");
    await file.append("one\n");
    await file.append("two\n");
    expect(readFileSync(path, "utf8")).toBe("torn more\none\ntwo\n");
  });
});

test("a marked file is in use until it is closed", async () => {
  using folder = new Folder();
  const path = folder.at("r");
  const isFree = (): boolean => {
    const fd = openSync(path, "r");
    try {
      return tryExclusiveFlock(fd);
    } finally {
      closeSync(fd);
    }
  };
  const plain = new RecordFile(path, { isSynced: false, isMarkedInUse: false });
  await plain.append("{}\n");
  expect(isFree()).toBe(true);
  const marked = new RecordFile(path, { isSynced: false, isMarkedInUse: true });
  await marked.append("{}\n");
  expect(isFree()).toBe(false);
});
