import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { rotatedFileMs, FollowedFile } from "#state/storage/live/followed-file.ts";
import { Folder } from "../../../support/folder.ts";
import { jsonLineBytesMax } from "#state/storage/json-lines.ts";

function followed(folder: Folder, text: string, oldBytes = 0) {
  const path = folder.file("f.ndjson", text);
  const file = new FollowedFile(path, oldBytes);
  const read = (nowMs = 0): readonly (string | boolean)[] => {
    const lines: (string | boolean)[] = [];
    const isThere = file.read((bytes, isNew) => {
      const line = new TextDecoder().decode(bytes).trimEnd();
      lines.push(isNew ? line : `(${line})`);
    }, nowMs);
    return isThere ? lines : [...lines, false];
  };
  return { path, file, read };
}

describe("FollowedFile", () => {
  test("takes whole lines as they are completed", () => {
    using folder = new Folder();
    const { path, file, read } = followed(folder, "a\nb\nto");
    expect(read()).toEqual(["a", "b"]);
    expect(file.lineEnd).toBe(4);
    expect(read()).toEqual([]);
    appendFileSync(path, "rn\nc\n");
    expect(read()).toEqual(["torn", "c"]);
    file.close();
  });

  test("knows the lines that were there before; one that is completed later is new", () => {
    using folder = new Folder();
    const { path, file, read } = followed(folder, "a\nb\nto", 6);
    expect(read()).toEqual(["(a)", "(b)"]);
    appendFileSync(path, "rn\n");
    expect(read()).toEqual(["torn"]);
    file.close();
  });

  test("takes the rest of a file that was moved away, for a bounded time, and the new one whole", () => {
    using folder = new Folder();
    const { path, file, read } = followed(folder, "a\n", 2);
    expect(read()).toEqual(["(a)"]);
    appendFileSync(path, "b\n");
    renameSync(path, `${path}.1`);
    expect(read(1_000)).toEqual(["b"]);
    appendFileSync(`${path}.1`, "c\n");
    writeFileSync(path, "d\n");
    expect(read(1_500)).toEqual(["c", "d"]);
    appendFileSync(`${path}.1`, "e\n");
    expect(read(1_000 + rotatedFileMs)).toEqual(["e"]);
    appendFileSync(`${path}.1`, "f\n");
    appendFileSync(path, "g\n");
    expect(read(9_000)).toEqual(["g"]);
    file.close();
  });

  test("ends with a file that is removed", () => {
    using folder = new Folder();
    const { path, read } = followed(folder, "a\n");
    read();
    appendFileSync(path, "b\n");
    rmSync(path);
    expect(read(1)).toEqual(["b"]);
    expect(read(1 + rotatedFileMs)).toEqual([false]);
  });

  test("row 178: a file that grows while it is read keeps nothing else waiting", () => {
    using folder = new Folder();
    const { path, file } = followed(folder, "a\n".repeat(10));
    let lines = 0;
    const take = (): void => {
      lines += 1;
      if (lines < 10_000) appendFileSync(path, "a\n");
    };
    file.read(take, 0);
    file.read(take, 1);
    expect(lines).toBeLessThan(100);
    file.close();
  });

  test("begins again where a file was cut", () => {
    using folder = new Folder();
    const { path, file, read } = followed(folder, "aaaa\nto", 7);
    read();
    truncateSync(path, 0);
    appendFileSync(path, "b\n");
    expect(read()).toEqual(["b"]);
    file.close();
  });

  test("never follows a link, and takes no line of a folder or a pipe", () => {
    using folder = new Folder();
    const target = folder.file("target", "secret\n");
    symlinkSync(target, folder.at("link"));
    Bun.spawnSync(["mkfifo", folder.at("pipe")]);
    for (const path of [folder.at("link"), folder.at("pipe"), folder.path, folder.at("none")]) {
      const file = new FollowedFile(path, 0);
      expect(file.read(() => expect.unreachable(), 0)).toBe(false);
    }
  });

  test(`a line of ${jsonLineBytesMax} bytes is taken, a longer one is not`, () => {
    using folder = new Folder();
    const long = "x".repeat(jsonLineBytesMax - 1);
    const { file, read } = followed(folder, `${long}\n${long}y\nend\n`);
    const lines = read();
    expect(lines.map((line) => String(line).length)).toEqual([long.length, 3]);
    file.close();
  });
});
