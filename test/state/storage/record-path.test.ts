import { describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { findPrunableFiles } from "#state/storage/prune/choose-files.ts";
import { makeClientMark, prepareRecordPath } from "#state/storage/record-file.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

describe("makeRecordPath", () => {
  const at = new Date("2026-09-01T08:05:09.999Z");

  test("is dated in UTC and named for its server, in folders that only their user can read", () => {
    using folder = new Folder();
    const path = prepareRecordPath(
      { XDG_STATE_HOME: folder.path },
      { at, server: "garden", random: "abcd" },
    );
    expect(path).toBe(
      folder.at("mcp-meter", "sessions", "2026-09-01", "080509-garden-abcd.ndjson"),
    );
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(folder.at("mcp-meter")).mode & 0o777).toBe(0o700);
  });

  test("a mark of the client comes before the random part, which prune knows", () => {
    using folder = new Folder();
    const mark = makeClientMark("c2a47a1ee471153c2c2332eb0200ac13", 16_845);
    const name = { at, server: "garden", mark, random: "0a1b2c3d" };
    const path = prepareRecordPath({ XDG_STATE_HOME: folder.path }, name);
    expect(basename(path)).toBe("080509-garden-c2a47a1ee471.16845-0a1b2c3d.ndjson");
    writeFileSync(path, "");
    const moment = { uid: statSync(path).uid, nowMs: Date.now() + 86_400_000 };
    const { files } = findPrunableFiles(folder.at("mcp-meter"), moment);
    expect(files.map((file) => file.path)).toEqual([path]);
  });

  const names: readonly (readonly [server: string, file: string])[] = [
    ["@scope/server", "scope-server"],
    ["../../etc/passwd", "etc-passwd"],
    ["..", "server"],
    ["", "server"],
    ["a b\u202e\u0000c", "a-b-c"],
    ["поиск", "server"],
    ["x".repeat(100), "x".repeat(40)],
    [".hidden-", "hidden"],
  ];
  for (const [server, file] of names) {
    test(`${JSON.stringify(server.slice(0, 20))} is ${file} in the file name`, () => {
      using folder = new Folder();
      const path = prepareRecordPath({ XDG_STATE_HOME: folder.path }, { at, server, random: "r" });
      expect(basename(path)).toBe(`080509-${file}-r.ndjson`);
      expect(dirname(path)).toBe(folder.at("mcp-meter", "sessions", "2026-09-01"));
    });
  }

  test("throws the missing variables without a place", () => {
    expect(thrownBy(() => prepareRecordPath({}, { at, server: "s", random: "r" }))).toContain(
      "set HOME or XDG_STATE_HOME",
    );
  });

  test("throws one sentence when a file is in the way", () => {
    using folder = new Folder();
    const path = folder.file("state", "");
    const sentence = thrownBy(() =>
      prepareRecordPath({ XDG_STATE_HOME: path }, { at, server: "s", random: "r" }),
    );
    expect(sentence).toBe(
      `Cannot use the state folder "${path}/mcp-meter": "${path}" is a file; rename or remove it`,
    );
  });
});
