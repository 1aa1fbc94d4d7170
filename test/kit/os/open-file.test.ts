import { describe, expect, test } from "bun:test";
import { closeSync, constants, lstatSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import {
  nameFileKind,
  describeIrregularity,
  openToRead,
  openToWrite,
  resolveRealPath,
} from "#kit/os/open-file.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
const at = (name: string): string => `${folder.path}/${name}`;

const regular = folder.write("regular", "text");
mkdirSync(at("folder"));
Bun.spawnSync(["mkfifo", at("pipe")]);
symlinkSync(regular, at("link"));

function fault(open: () => ReturnType<typeof openToRead>): string | undefined {
  const opened = open();
  if ("fault" in opened) return opened.fault;
  if (!opened.isInherited) closeSync(opened.fd);
  return undefined;
}

const rows: readonly (readonly [
  name: string,
  toRead: string | undefined,
  toWrite: string | undefined,
])[] = [
  [regular, undefined, undefined],
  [at("link"), undefined, "ELOOP"],
  ["/dev/null", undefined, undefined],
  [at("folder"), "EISDIR", "EISDIR"],
  // Without a reader, the system refuses to open a pipe for writing.
  [at("pipe"), "it is a pipe, not a regular file", "ENXIO"],
  ["/dev/zero", "it is a device, not a regular file", "it is a device, not a regular file"],
];

describe("a file is opened without waiting, and only when it is regular", () => {
  for (const [name, toRead, toWrite] of rows) {
    test(name.replace(folder.path, ""), () => {
      expect(fault(() => openToRead(name))).toBe(toRead);
      expect(fault(() => openToWrite(name, 0))).toEqual(toWrite);
    });
  }

  test("a missing file is a fault to read, and is made private to write", () => {
    expect(fault(() => openToRead(at("missing")))).toBe("ENOENT");
    expect(fault(() => openToWrite(at("new"), constants.O_APPEND))).toBeUndefined();
    expect(statSync(at("new")).mode & 0o777).toBe(0o600);
  });

  test("a descriptor of the shell is used as it is, whatever it leads to", () => {
    expect(openToRead("/dev/fd/2")).toEqual({ fd: 2, isInherited: true });
    expect(openToRead("/dev/stdin")).toEqual({ fd: 0, isInherited: true });
    expect(openToRead("/proc/self/fd/9999")).toEqual({ fault: "EBADF" });
  });
});

test("kinds in words", () => {
  expect(nameFileKind(lstatSync(at("link")))).toBe("symbolic link");
  expect(nameFileKind(lstatSync(at("pipe")))).toBe("pipe");
  expect(nameFileKind(lstatSync(at("folder")))).toBe("directory");
  expect(nameFileKind(lstatSync("/dev/null"))).toBe("device");
  expect(describeIrregularity(lstatSync(regular))).toBeUndefined();
});

test("resolveRealPath follows links, and leaves a missing path as it is", () => {
  expect(resolveRealPath(at("link"))).toBe(resolveRealPath(regular));
  expect(resolveRealPath("/missing/x")).toBe("/missing/x");
});
