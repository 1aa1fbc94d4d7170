import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import {
  findBundledPackages,
  collectNotices,
  readNotice,
  noticesPath,
  renderNotices,
} from "../../scripts/notices.ts";
import { root } from "../house/tree.ts";

test("the notices are those of today's bundle; else: bun run notices", async () => {
  expect(readFileSync(join(root, noticesPath), "utf8")).toBe(await collectNotices());
});

test("every dependency is bundled, and each licence permits redistribution", async () => {
  const packages = await findBundledPackages();
  const dependencies = Object.keys(packageJson.dependencies).map((name) => `node_modules/${name}`);
  expect(dependencies.filter((folder) => !packages.includes(folder))).toEqual([]);
  const permissive = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"]);
  const others = packages.map(readNotice).filter(({ id }) => !permissive.has(id));
  expect(others.map(({ name, id }) => `${name} is under ${id}`)).toEqual([]);
});

describe("renderNotices", () => {
  const one = { name: "one 1.0.0", id: "MIT", text: "Copyright (c) Ada\n" };

  test("works with the same licence stand together", () => {
    const same = { ...one, name: "two 2.0.0", text: "Copyright (c) Ada\r\n\r\n" };
    const other = { name: "three 3.0.0", id: "ISC", text: "Copyright (c) Grace" };
    const [, first, second] = renderNotices([one, other, same]).split(/\n-{80}\n/);
    expect(first?.trim()).toBe("one 1.0.0 (MIT)\ntwo 2.0.0 (MIT)\n\nCopyright (c) Ada");
    expect(second?.trim()).toBe("three 3.0.0 (ISC)\n\nCopyright (c) Grace");
  });

  test("a package without a licence is an error", () => {
    expect(() => readNotice("node_modules/bun")).toThrow(`Cannot find the licence of "bun"`);
  });
});
