import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  spilledBytesMax,
  spilledFilesMax,
  examineSpillFolder,
  openSpillFolder,
  type SpillFolders,
  makeSpiller,
} from "#state/storage/spill-file.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const file = (text: string, location: "state" | "workspace" = "state") =>
  ({ text, extension: "txt", folder: location }) as const;

function saving(folders: Partial<SpillFolders>, sessionId = "session") {
  const reported: string[] = [];
  const options = { named: undefined, state: undefined, ...folders };
  return {
    told: reported,
    keep: makeSpiller(options, sessionId, (sentence) => void reported.push(sentence)),
  };
}

function within<Result>(folder: string, run: () => Result): Result {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return run();
  } finally {
    process.chdir(before);
  }
}

describe("makeSpiller", () => {
  test("writes each text to a file that only its user can read", () => {
    using folder = new Folder();
    const { keep } = saving({ state: folder.path });
    const paths = [keep(file("one")), keep(file("two"))].map(String);
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["one", "two"]);
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder.at("spills")).mode & 0o777).toBe(0o700);
    expect(paths[0]).toEndWith("session-1.txt");
  });

  test("writes to the folder that the user named, for every client", () => {
    using folder = new Folder();
    const { keep } = saving({ named: folder.path, state: "/nowhere" });
    for (const location of ["state", "workspace"] as const) keep(file("x", location));
    expect(readdirSync(folder.path).toSorted()).toEqual(["session-1.txt", "session-2.txt"]);
  });

  test("writes into the workspace for a client that reads nothing else, under an absolute path", () => {
    using folder = new Folder();
    within(folder.path, () => {
      const path = saving({ state: "/nowhere" }).keep(file("x", "workspace"));
      expect(path).toBe(join(process.cwd(), ".mcp-meter", "spills", "session-1.txt"));
    });
    expect(statSync(folder.at(".mcp-meter")).mode & 0o777).toBe(0o700);
  });

  test("follows no link that a project has in the place of our folder", () => {
    using folder = new Folder();
    using elsewhere = new Folder();
    for (const link of [".mcp-meter", join(".mcp-meter", "spills")]) {
      using project = new Folder();
      if (link !== ".mcp-meter") mkdirSync(project.at(".mcp-meter"));
      symlinkSync(elsewhere.path, project.at(link));
      const { keep, told: reported } = saving({ state: folder.path });
      expect(within(project.path, () => keep(file("x", "workspace")))).toBeUndefined();
      expect(reported).toEqual([
        "Cannot save an answer (the folder for saved answers is a symbolic link); over-budget answers are withheld instead",
      ]);
    }
    expect(readdirSync(elsewhere.path).filter((name) => name.endsWith(".txt"))).toEqual([]);
  });

  test("returns undefined for a text that it cannot write, says so once, and overwrites nothing", () => {
    using folder = new Folder();
    expect(saving({}).keep(file("x"))).toBeUndefined();
    const broken = saving({ state: folder.file("file", "") });
    expect([broken.keep(file("x")), broken.keep(file("x"))]).toEqual([undefined, undefined]);
    expect(broken.told).toEqual([
      "Cannot save an answer (part of the path is not a directory); over-budget answers are withheld instead",
    ]);
    expect(saving({ state: folder.path }, "same").keep(file("first"))).toBeDefined();
    expect(saving({ state: folder.path }, "same").keep(file("second"))).toBeUndefined();
  });

  test("saves up to a number of files and bytes in a session", () => {
    using folder = new Folder();
    const { keep, told: reported } = saving({ named: folder.path });
    for (let at = 0; at < spilledFilesMax; at += 1) expect(keep(file("x"))).toBeDefined();
    expect(keep(file("x"))).toBeUndefined();
    expect(reported).toEqual([
      "Cannot save an answer (this session has reached its limit for saved answers); over-budget answers are withheld instead",
    ]);
    const second = saving({ named: folder.path }, "other");
    const large = file("x".repeat(spilledBytesMax / 32));
    for (let at = 0; at < 32; at += 1) expect(second.keep(large)).toBeDefined();
    expect(second.keep(file("x"))).toBeUndefined();
  });
});

test("openSpillFolder resolves against the working directory, and makes the folder for its user alone", () => {
  using folder = new Folder();
  within(folder.path, () => {
    expect(openSpillFolder(join("a", "b"))).toBe(join(process.cwd(), "a", "b"));
  });
  expect(statSync(folder.at("a", "b")).mode & 0o777).toBe(0o700);
  const taken = folder.file("taken", "");
  expect(thrownBy(() => openSpillFolder(join(taken, "x")))).toBe(
    `Cannot save answers in "${join(taken, "x")}": part of the path is not a directory; choose another folder with --spill-dir`,
  );
});

test("examineSpillFolder makes no folder, and has the reason why none can be made", () => {
  using folder = new Folder();
  expect(examineSpillFolder(folder.at("a/b"))).toBe(folder.at("a/b"));
  expect(existsSync(folder.at("a"))).toBe(false);
  expect(thrownBy(() => examineSpillFolder("/dev/null/a"))).toContain("part of the path is not");
});
