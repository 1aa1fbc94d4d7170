import { expect, test } from "bun:test";
import { expandPaths } from "#commands/home-paths.ts";
import { commands } from "#commands/index.ts";
import { thrownBy } from "../support/folder.ts";

const specs = {
  log: { describe: "d", value: "FILE", isPath: true },
  server: { describe: "d", value: "NAME" },
};

test("expandPaths expands the values of paths alone", () => {
  const options = { log: "~/l", server: "~/s", other: "~/o" };
  expect(expandPaths(specs, options, { HOME: "/h" })).toEqual({ ...options, log: "/h/l" });
});

test("expandPaths says that there is no home", () => {
  expect(thrownBy(() => expandPaths(specs, { log: "~/l" }, {}))).toBe(
    'Cannot expand "~/l" of --log: set HOME, or write the whole path',
  );
});

test("every option with a file or a folder is a path", () => {
  for (const { options } of Object.values(commands)) {
    for (const [name, { value, isPath }] of Object.entries(options)) {
      if (/^(?:FILE|DIR)\b/.test(value ?? ""))
        expect({ name, isPath }).toEqual({ name, isPath: true });
    }
  }
});
