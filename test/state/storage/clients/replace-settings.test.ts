import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { leftoverAgeSecondsMin, replaceSettings } from "#state/storage/clients/replace-settings.ts";
import { Folder } from "../../../support/folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("the bytes are replaced, the mode stays, nothing else is left", () => {
  using folder = new Folder();
  const file = folder.file("a", "old");
  chmodSync(file, 0o640);
  expect(replaceSettings(file, bytes("old"), bytes("new"))).toBeUndefined();
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o640]);
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("a temporary copy of an attempt that was killed is removed, a young one stays", () => {
  using folder = new Folder();
  const file = folder.file("a", "old");
  const [killed, young] = [`.a.mcp-meter-1`, `.a.mcp-meter-2`];
  for (const name of [killed, young, ".b.mcp-meter-1"]) folder.file(name, "secret");
  const then = Date.now() / 1_000 - 2 * leftoverAgeSecondsMin;
  for (const name of [killed, ".b.mcp-meter-1"]) utimesSync(folder.at(name), then, then);
  expect(replaceSettings(file, bytes("old"), bytes("new"))).toBeUndefined();
  expect(readdirSync(folder.path).toSorted()).toEqual([young, ".b.mcp-meter-1", "a"]);
});

test("a symbolic link stays, its target is replaced", () => {
  using folder = new Folder();
  mkdirSync(folder.at("dotfiles"));
  const target = folder.file("dotfiles/a", "old");
  symlinkSync("dotfiles/a", folder.at("link"));
  expect(replaceSettings(folder.at("link"), bytes("old"), bytes("new"))).toBeUndefined();
  expect([lstatSync(folder.at("link")).isSymbolicLink(), readFileSync(target, "utf8")]).toEqual([
    true,
    "new",
  ]);
  expect(readdirSync(folder.at("dotfiles"))).toEqual(["a"]);
});

test("a file that another program changed meanwhile is left as it is", () => {
  using folder = new Folder();
  const file = folder.file("a", "theirs");
  expect(replaceSettings(file, bytes("old"), bytes("new"))).toBe("changed");
  expect([readFileSync(file, "utf8"), readdirSync(folder.path)]).toEqual(["theirs", ["a"]]);
});

test("a file that is read-only, missing or not regular is left as it is", () => {
  using folder = new Folder();
  const file = folder.file("a", "old");
  chmodSync(file, 0o444);
  expect(replaceSettings(file, bytes("old"), bytes("new"))).toBe("it is read-only");
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(replaceSettings(folder.at("b"), bytes(""), bytes("new"))).toBe("ENOENT");
  expect(replaceSettings(folder.path, bytes(""), bytes("new"))).toBe("EISDIR");
});
