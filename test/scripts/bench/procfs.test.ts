import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { descriptorCount } from "../../../scripts/bench/procfs.ts";

test.skipIf(process.platform !== "linux")(
  "descriptors of /proc do not count, and those of a process that is gone are unknown",
  () => {
    const before = descriptorCount(process.pid) ?? Number.NaN;
    const opened = ["/proc/self/statm", "/dev/null"].map((path) => openSync(path, "r"));
    expect(descriptorCount(process.pid)).toBe(before + 1);
    for (const fd of opened) closeSync(fd);
    expect(descriptorCount(process.pid)).toBe(before);
    expect(descriptorCount(2 ** 30)).toBeUndefined();
  },
);
