import { expect, test } from "bun:test";
import { namedConfig } from "#commands/named-config.ts";

test("namedConfig knows whether the command line names the file", () => {
  expect(namedConfig({ config: "c" }, { config: "c" })).toEqual({
    file: "c",
    isOnCommandLine: true,
  });
  expect(namedConfig({ config: "c" }, {})).toEqual({ file: "c", isOnCommandLine: false });
  for (const config of [undefined, "", true]) expect(namedConfig({ config }, {})).toBeUndefined();
});
