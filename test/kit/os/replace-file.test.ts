import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { replaceFile, findReplaceFault, replaceInChunks } from "#kit/os/write-file.ts";
import { Folder } from "../../support/folder.ts";

const readMode = (path: string): number => statSync(path).mode & 0o777;

function* failing(): Generator<string> {
  yield "half";
  throw Object.assign(new Error("no part"), { code: "EIO" });
}

test("a text in parts is written part by part, and not at all when one cannot be made", () => {
  using folder = new Folder();
  const file = folder.at("s.md");
  expect(replaceInChunks(file, () => ["one\n", "", "två\n"])).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("one\ntvå\n");
  expect(replaceInChunks(file, failing)).toBe("EIO");
  expect(readFileSync(file, "utf8")).toBe("one\ntvå\n");
  expect(readdirSync(folder.path)).toEqual(["s.md"]);
});

describe("replaceFile", () => {
  test("makes a private file, and replaces it as a whole", () => {
    using folder = new Folder();
    const file = folder.at("s.md");
    expect(replaceFile(file, "one")).toBeUndefined();
    const first = statSync(file).ino;
    expect(replaceFile(file, "two")).toBeUndefined();
    expect([readFileSync(file, "utf8"), readMode(file)]).toEqual(["two", 0o600]);
    expect(statSync(file).ino).not.toBe(first);
    expect(readdirSync(folder.path)).toEqual(["s.md"]);
  });

  test("has no trouble with the longest name, and a code for a longer one", () => {
    using folder = new Folder();
    for (const name of ["b".repeat(219), "b".repeat(255), "ä".repeat(127)]) {
      expect(replaceFile(folder.at(name), "x")).toBeUndefined();
      expect(readFileSync(folder.at(name), "utf8")).toBe("x");
    }
    expect(replaceFile(folder.at("b".repeat(256)), "x")).toBe("ENAMETOOLONG");
    expect(readdirSync(folder.path)).toHaveLength(3);
  });

  test("neither follows nor replaces a symbolic link", () => {
    using folder = new Folder();
    symlinkSync(folder.file("target", "kept"), folder.at("link"));
    symlinkSync(folder.at("nothing"), folder.at("dangling"));
    expect(replaceFile(folder.at("link"), "x")).toBe("ELOOP");
    expect(replaceFile(folder.at("dangling"), "x")).toBe("ELOOP");
    expect(readFileSync(folder.at("target"), "utf8")).toBe("kept");
    expect(readdirSync(folder.path).toSorted()).toEqual(["dangling", "link", "target"]);
  });

  test("waits for no pipe and writes to no device", () => {
    using folder = new Folder();
    Bun.spawnSync(["mkfifo", folder.at("pipe")]);
    mkdirSync(folder.at("folder"));
    expect(replaceFile(folder.at("pipe"), "x")).toBe("it is a pipe, not a regular file");
    expect(replaceFile(folder.at("folder"), "x")).toBe("EISDIR");
    expect(replaceFile("/dev/full", "x")).toBe("it is a device, not a regular file");
    expect(replaceFile("/dev/null", "x")).toBeUndefined();
    expect(replaceFile(folder.at("no", "s.md"), "x")).toBe("ENOENT");
  });

  test.if(process.getuid?.() !== 0)("writes in place where the folder is read-only", () => {
    using folder = new Folder();
    mkdirSync(folder.at("fixed"));
    const file = folder.file("fixed/s.md", "a longer text");
    chmodSync(folder.at("fixed"), 0o500);
    expect(replaceFile(file, "short")).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe("short");
    chmodSync(folder.at("fixed"), 0o700);
  });
});

test("findReplaceFault has the reasons of replaceFile, and writes nothing", () => {
  using folder = new Folder();
  symlinkSync("nowhere", folder.at("link"));
  for (const file of [folder.path, folder.at("link"), folder.at("none/x"), "/dev/full"]) {
    const fault = findReplaceFault(file);
    expect(fault).toBeString();
    expect(fault).toBe(replaceFile(file, "x"));
  }
  for (const file of [folder.at("new"), folder.file("old", "kept"), "/dev/null"]) {
    expect(findReplaceFault(file)).toBeUndefined();
  }
  expect(readdirSync(folder.path).toSorted()).toEqual(["link", "old"]);
  expect(readFileSync(folder.at("old"), "utf8")).toBe("kept");
});
