import { expect, test } from "bun:test";
import { mergeConfigs, serversIn } from "#storage/config/merge-configs.ts";
import type { ReadConfig } from "#storage/config/read-configs.ts";

type Options = { readonly [name: string]: string };

function config(
  file: string,
  general: Options,
  servers: { readonly [name: string]: Options } = {},
): ReadConfig {
  const sections = Object.entries(servers).map(
    ([name, options]) => [name, new Map(Object.entries(options))] as const,
  );
  return {
    place: { file, kind: "user", isImplicit: file !== "named" },
    layer: { general: new Map(Object.entries(general)), servers: new Map(sections), locked: [] },
  };
}

const configs = [
  config("etc", { model: "e", window: "1", log: "e" }, { a: { window: "2", slow: "3" } }),
  config("user", { model: "u", window: "4" }, { a: { slow: "5" }, b: { model: "b" } }),
];

const merged = (server?: string) =>
  Object.fromEntries(
    [...mergeConfigs(configs, server)].map(([name, { value, origin }]) => [
      name,
      `${String(value)} ${origin.file} ${origin.section ?? "-"}`,
    ]),
  );

test("a later file overrides an earlier one, option by option", () => {
  expect(merged()).toEqual({ model: "u user -", window: "4 user -", log: "e etc -" });
});

test("sections override the parts for every server, be these in a later file", () => {
  expect(merged("a")).toEqual({
    model: "u user -",
    window: "2 etc a",
    log: "e etc -",
    slow: "5 user a",
  });
  expect(merged("b")).toMatchObject({ model: "b user b", window: "4 user -" });
  expect(merged("constructor")).toEqual(merged());
});

test("an entry knows whether the command line names its file", () => {
  const [entry] = [...mergeConfigs([config("named", { model: "m" })], undefined).values()];
  expect(entry?.origin).toEqual({ file: "named", section: undefined, isImplicit: false });
});

test("serversIn has each name once", () => {
  expect(serversIn(configs)).toEqual(["a", "b"]);
});
