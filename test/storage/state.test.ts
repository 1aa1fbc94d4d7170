import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import { configFolder, newOverflowPath, newRecordPath, stateFolder } from "#storage/state.ts";
import { Folder, thrownBy } from "../support/folder.ts";

type Row = readonly [
  what: string,
  env: { [name: string]: string },
  state: string | undefined,
  config: string | undefined,
];

const rows: readonly Row[] = [
  ["nothing", {}, undefined, undefined],
  ["HOME", { HOME: "/h" }, "/h/.local/state/mcp-meter", "/h/.config/mcp-meter"],
  [
    "XDG",
    { XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c", HOME: "/h" },
    "/s/mcp-meter",
    "/c/mcp-meter",
  ],
  [
    "a relative XDG is ignored",
    { XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "./c", HOME: "/h" },
    "/h/.local/state/mcp-meter",
    "/h/.config/mcp-meter",
  ],
  [
    "an empty XDG is ignored",
    { XDG_STATE_HOME: "", HOME: "/h" },
    "/h/.local/state/mcp-meter",
    "/h/.config/mcp-meter",
  ],
  ["a relative HOME is ignored", { HOME: "h" }, undefined, undefined],
];

describe("folders", () => {
  for (const [what, env, state, config] of rows) {
    test(what, () => {
      expect([stateFolder(env), configFolder(env)]).toEqual([state, config]);
    });
  }
});

describe("newRecordPath", () => {
  const at = new Date("2026-09-01T08:05:09.999Z");

  test("is dated in UTC, named for its server, in folders for nobody else", () => {
    using folder = new Folder();
    const path = newRecordPath({ XDG_STATE_HOME: folder.path }, at, "garden", "abcd");
    expect(path).toBe(
      folder.at("mcp-meter", "sessions", "2026-09-01", "080509-garden-abcd.ndjson"),
    );
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(folder.at("mcp-meter")).mode & 0o777).toBe(0o700);
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
    test(`${JSON.stringify(server.slice(0, 20))} is ${file} in a file's name`, () => {
      using folder = new Folder();
      const path = newRecordPath({ XDG_STATE_HOME: folder.path }, at, server, "r");
      expect(basename(path)).toBe(`080509-${file}-r.ndjson`);
      expect(dirname(path)).toBe(folder.at("mcp-meter", "sessions", "2026-09-01"));
    });
  }

  test("without a place says which variable is missing", () => {
    expect(thrownBy(() => newRecordPath({}, at, "s", "r"))).toContain("set HOME or XDG_STATE_HOME");
  });

  test("where a file is in the way says so in one sentence", () => {
    using folder = new Folder();
    const path = folder.file("state", "");
    const sentence = thrownBy(() => newRecordPath({ XDG_STATE_HOME: path }, at, "s", "r"));
    expect(sentence).toMatch(
      /^Cannot write records to ".*": (?:part of the path is not a directory|a file of that name exists)$/,
    );
  });
});

test("a long line is kept in the state directory, made when it is missing, else where nothing lasts", () => {
  using folder = new Folder();
  const path = newOverflowPath({ XDG_STATE_HOME: folder.path });
  expect(dirname(path)).toBe(folder.at("mcp-meter"));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(newOverflowPath({ XDG_STATE_HOME: folder.path })).not.toBe(path);
  const below = folder.file("file", "");
  expect(dirname(newOverflowPath({ XDG_STATE_HOME: below }))).toBe(tmpdir());
  expect(dirname(newOverflowPath({}))).toBe(tmpdir());
});
