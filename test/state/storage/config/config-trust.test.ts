import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { examineTrust } from "#state/storage/config/config-trust.ts";
import { Folder } from "../../../support/folder.ts";

const isRoot = userInfo().uid === 0;

function trusted(folder: Folder): string {
  mkdirSync(folder.at("etc"), { mode: 0o755 });
  const file = folder.file("etc/config.json", "{}");
  chmodSync(file, 0o644);
  return file;
}

describe("a system config", () => {
  test.if(isRoot)("is trusted when root alone may have written it", () => {
    using folder = new Folder();
    const file = trusted(folder);
    expect(examineTrust(file)?.fault).toBeUndefined();
    symlinkSync(file, folder.at("link"));
    chmodSync(folder.path, 0o755);
    expect(examineTrust(folder.at("link"))?.fault).toBeUndefined();
    chmodSync(file, 0o666);
    expect(examineTrust(folder.at("link"))).toMatchObject({ path: file, isForeign: false });
  });

  test.if(!isRoot)("of another user is not trusted", () => {
    using folder = new Folder();
    expect(examineTrust(trusted(folder))?.fault).toBe(
      "it does not belong to root, so the file is ignored",
    );
  });

  const rows: readonly (readonly [
    name: string,
    change: (folder: Folder) => void,
    fault: string,
  ])[] = [
    [
      "of another user",
      (f) => chownSync(f.at("etc/config.json"), 65_534, 0),
      "it does not belong to root",
    ],
    [
      "that its group may write",
      (f) => chmodSync(f.at("etc/config.json"), 0o664),
      "other users can write to it",
    ],
    [
      "that all may write",
      (f) => chmodSync(f.at("etc/config.json"), 0o646),
      "other users can write to it",
    ],
    [
      "in a folder of another user",
      (f) => chownSync(f.at("etc"), 65_534, 0),
      "its folder does not belong",
    ],
    [
      "in a folder that others may write",
      (f) => chmodSync(f.at("etc"), 0o1777),
      "other users can write to its folder",
    ],
  ];
  for (const [name, change, fault] of rows) {
    test.if(isRoot)(`${name} is not trusted`, () => {
      using folder = new Folder();
      const file = trusted(folder);
      change(folder);
      expect(examineTrust(file)?.fault).toStartWith(fault);
    });
  }

  test.if(isRoot)("behind a link counts with the folder that it is in", () => {
    using folder = new Folder();
    trusted(folder);
    mkdirSync(folder.at("open"));
    chmodSync(folder.at("open"), 0o777);
    linkSync(folder.at("etc/config.json"), folder.at("open/config.json"));
    symlinkSync(folder.at("open/config.json"), folder.at("etc/link.json"));
    expect(examineTrust(folder.at("etc/link.json"))?.fault).toStartWith(
      "other users can write to its folder",
    );
  });

  test("that is not there is left to its reader", () => {
    expect(examineTrust("/nowhere/at/all")?.fault).toBeUndefined();
    expect(examineTrust("\0")?.fault).toBeUndefined();
  });
});
