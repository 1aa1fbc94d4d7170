import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import {
  listConfigLocations,
  mustBeRead,
  locateSystemConfigFolder,
} from "#state/storage/config/config-locations.ts";
import { Folder } from "../../../support/folder.ts";

const etc = locateSystemConfigFolder("linux");

const system = { file: "/etc/mcp-meter/config.json", kind: "system", isImplicit: true };

test("the system's file comes below the user's own", () => {
  expect(listConfigLocations(undefined, { XDG_CONFIG_HOME: "/c" }, etc)).toEqual([
    system,
    { file: "/c/mcp-meter/config.json", kind: "user", isImplicit: true },
  ] as never);
  expect(
    listConfigLocations(undefined, { HOME: "/h" }, "/etc/other").map(({ file }) => file),
  ).toEqual(["/etc/other/config.json", "/h/.config/mcp-meter/config.json"]);
});

test("a named file takes the place of the user's own; only the command line makes it explicit", () => {
  for (const isOnCommandLine of [true, false]) {
    const named = { file: "mine.json", isOnCommandLine };
    expect(listConfigLocations(named, { HOME: "/h" }, etc)).toEqual([
      system,
      { file: "mine.json", kind: "named", isImplicit: !isOnCommandLine },
    ] as never);
  }
});

test("never one of the working directory", () => {
  const places = listConfigLocations(undefined, { XDG_CONFIG_HOME: ".", HOME: "." }, etc);
  expect(places.map(({ file }) => file)).toEqual([system.file]);
});

test("no variable moves the system's folder", () => {
  const env = { ETC: "/x", XDG_CONFIG_DIRS: "/x", MCP_METER_ETC: "/x", HOME: "/h" };
  expect(listConfigLocations(undefined, env, etc)[0]?.file).toBe("/etc/mcp-meter/config.json");
});

test("each platform has its folder of the system, which no variable moves", () => {
  expect(["linux", "freebsd", "darwin", "win32"].map(locateSystemConfigFolder)).toEqual([
    "/etc/mcp-meter",
    "/etc/mcp-meter",
    "/Library/Application Support/mcp-meter",
    "C:\\ProgramData\\mcp-meter",
  ]);
});

test("a place is occupied by a file, by one that cannot be read, and when it is named", () => {
  using folder = new Folder();
  mkdirSync(folder.at("mcp-meter"));
  const user = {
    file: folder.at("mcp-meter", "config.json"),
    kind: "user",
    isImplicit: true,
  } as const;
  expect(mustBeRead(user)).toBe(false);
  folder.file("mcp-meter/config.json", "{}");
  expect(mustBeRead(user)).toBe(true);
  symlinkSync("/nowhere/at/all", folder.at("mcp-meter", "link.json"));
  expect(mustBeRead({ ...user, file: folder.at("mcp-meter", "link.json") })).toBe(true);
  expect(mustBeRead({ ...user, file: `${user.file}/below` })).toBe(false);
  expect(mustBeRead({ ...user, file: "\0" })).toBe(true);
  expect(mustBeRead({ ...user, kind: "named", file: folder.at("none") })).toBe(true);
});
