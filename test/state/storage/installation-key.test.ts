import { describe, expect, test } from "bun:test";
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { findOrMakeInstallationKey } from "#state/storage/identity/counter-owner.ts";
import { Folder } from "../../support/folder.ts";

describe("findOrMakeInstallationKey", () => {
  test("is made once, for its user only, and stays", () => {
    using folder = new Folder();
    const key = findOrMakeInstallationKey(folder.at("state"));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(findOrMakeInstallationKey(folder.at("state"))).toBe(key);
    expect(readdirSync(folder.at("state"))).toEqual(["installation-key"]);
    expect(statSync(folder.at("state", "installation-key")).mode & 0o777).toBe(0o600);
  });

  test("differs between installations", () => {
    using folder = new Folder();
    expect(findOrMakeInstallationKey(folder.at("one"))).not.toBe(
      findOrMakeInstallationKey(folder.at("other")),
    );
  });

  test("is empty where there can be none: no folder, a link, a pipe, half a key", () => {
    using folder = new Folder();
    expect(findOrMakeInstallationKey(undefined)).toBe("");
    expect(findOrMakeInstallationKey(folder.file("file", ""))).toBe("");
    const makers: readonly ((path: string) => void)[] = [
      (path) => symlinkSync(folder.file("elsewhere", "x".repeat(64)), path),
      (path) => Bun.spawnSync(["mkfifo", path]),
      (path) => writeFileSync(path, "half"),
    ];
    for (const make of makers) {
      using state = new Folder();
      make(state.at("installation-key"));
      expect(findOrMakeInstallationKey(state.path)).toBe("");
    }
  });
});
