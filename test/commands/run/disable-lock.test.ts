import { expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { findDisableLock } from "#commands/doctor/check-machine.ts";
import { Folder } from "../../support/folder.ts";

const isRoot = userInfo().uid === 0;

test("without a system config nothing is locked", async () => {
  using folder = new Folder();
  expect(await findDisableLock("linux", folder.at("none"))).toBeUndefined();
});

test.if(isRoot)(
  "the config that locks it is named; one that locks other options is not",
  async () => {
    using folder = new Folder();
    const write = (text: string): string => folder.file("config.json", text);
    const file = write('{"locked": ["log", "disable"]}');
    expect(await findDisableLock("linux", folder.path)).toBe(file);
    for (const text of ['{"locked": ["log"]}', '{"disable": true}', "{", '{"locked": "disable"}']) {
      write(text);
      expect([text, await findDisableLock("linux", folder.path)]).toEqual([text, undefined]);
    }
  },
);

test("one that others can write locks nothing, and neither does a folder of its name", async () => {
  using folder = new Folder();
  chmodSync(folder.file("config.json", '{"locked": ["disable"]}'), 0o666);
  expect(await findDisableLock("linux", folder.path)).toBeUndefined();
  mkdirSync(folder.at("other/config.json"), { recursive: true });
  expect(await findDisableLock("linux", folder.at("other"))).toBeUndefined();
});
