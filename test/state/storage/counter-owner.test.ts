import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { nameCounterOwner } from "#state/storage/identity/counter-owner.ts";
import { Folder } from "../../support/folder.ts";

describe("nameCounterOwner", () => {
  test("is a label and six digits, the same each time", () => {
    using folder = new Folder();
    const command = ["npx", "-y", "@scope/server-garden@1.2"];
    const owner = nameCounterOwner(command, folder.path);
    expect(owner).toMatch(/^server-garden-[0-9a-f]{6}$/);
    expect(nameCounterOwner(command, folder.path)).toBe(owner);
  });

  test.each([
    [
      ["docker", "run", "-i", "one"],
      ["docker", "run", "-i", "other"],
    ],
    [
      ["uv", "run", "--directory", "/one", "main.py"],
      ["uv", "run", "--directory", "/other", "main.py"],
    ],
    [
      ["npx", "a b"],
      ["npx", "a", "b"],
    ],
  ])("servers that one program starts have different ones: %j", (a, b) => {
    using folder = new Folder();
    expect(nameCounterOwner(a, folder.path)).not.toBe(nameCounterOwner(b, folder.path));
  });

  test("a relative path is that of its file, another word is not", () => {
    using folder = new Folder();
    const here = nameCounterOwner(["node", "package.json"], folder.path);
    expect(nameCounterOwner(["node", `${process.cwd()}/package.json`], folder.path)).toBe(here);
    expect(nameCounterOwner(["node", "/elsewhere/package.json"], folder.path)).not.toBe(here);
  });

  test("a folder with a space in its name does not change the label", () => {
    using folder = new Folder();
    mkdirSync(folder.at("a b"));
    const inside = folder.file("a b/server.js", "");
    expect(nameCounterOwner(["node", inside], folder.path)).toStartWith("server.js-");
  });

  test("cannot be computed from the command without the key", () => {
    using first = new Folder();
    using second = new Folder();
    const command = ["docker", "run", "secret"];
    expect(nameCounterOwner(command, first.path)).not.toBe(nameCounterOwner(command, second.path));
  });
});
