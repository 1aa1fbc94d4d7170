import { expect, test } from "bun:test";
import { applyConfig } from "#commands/apply-config-files.ts";
import type { RawOptions } from "#commands/command.ts";
import { UserError } from "#kit/errors.ts";
import type { ConfigEntry } from "#state/storage/config/read-configs.ts";

const entry = (value: ConfigEntry["value"], isImplicit = true): ConfigEntry => ({
  value,
  origin: { file: isImplicit ? "implicit" : "named", section: undefined, isImplicit },
});

function check(options: RawOptions): RawOptions {
  for (const [name, value] of Object.entries(options)) {
    if (value === "bad") throw new UserError(`${name} is bad`);
  }
  const { budgets } = options;
  if (typeof budgets === "string" && JSON.parse(budgets).includes(0)) throw new UserError("0");
  if (options["enforce-lock"] === true && options["lock"] === undefined) {
    throw new UserError("enforce-lock requires lock");
  }
  return { ...options, isChecked: true };
}

function broken(): never {
  throw new TypeError("broken");
}

const applied = (explicit: RawOptions, config: { readonly [name: string]: ConfigEntry }) =>
  applyConfig(explicit, new Map(Object.entries(config)), check);

test("explicit options override values from files", () => {
  const config = { a: entry("1"), b: entry("2", false), c: entry("3") };
  expect(applied({ c: "own" }, config)).toEqual({
    options: { a: "1", b: "2", c: "own", isChecked: true },
    implicit: new Set(["a"]),
    mistakes: [],
  });
});

test("an invalid value in an implicit file is dropped with its sentence, and the others apply", () => {
  const { options, implicit, mistakes } = applied({}, { a: entry("1"), "b-c": entry("bad") });
  expect(options).toEqual({ a: "1", isChecked: true });
  expect([...implicit]).toEqual(["a"]);
  expect(mistakes).toEqual([{ file: "implicit", fault: "b-c is bad", cause: "b_c" }]);
});

test("an option may need one that comes later", () => {
  const config = { "enforce-lock": entry(true), bad: entry("bad"), lock: entry("l") };
  expect(applied({}, config).options).toEqual({ lock: "l", "enforce-lock": true, isChecked: true });
  const lockless = applied({}, { "enforce-lock": entry(true), a: entry("1") });
  expect(lockless.options).toEqual({ a: "1", isChecked: true });
  expect(lockless.mistakes).toMatchObject([{ cause: "enforce_lock" }]);
});

test("an explicit option may need one of a file", () => {
  const config = { a: entry("1"), lock: entry("l"), b: entry("bad") };
  const { options } = applied({ "enforce-lock": true }, config);
  expect(options).toEqual({ a: "1", lock: "l", "enforce-lock": true, isChecked: true });
});

test("a mistake in one budget keeps the others", () => {
  const { options, mistakes } = applied({}, { budgets: entry("[1,0,2]") });
  expect(options).toEqual({ budgets: "[1,2]", isChecked: true });
  expect(mistakes).toMatchObject([{ cause: "budgets" }]);
});

test("a mistake in an explicit option or a named file is thrown", () => {
  const good = { a: entry("1") };
  expect(() => applied({ b: "bad" }, good)).toThrow("b is bad");
  expect(() => applied({}, { ...good, b: entry("bad", false) })).toThrow("b is bad");
});

test("an error that is not a UserError is rethrown", () => {
  const config = new Map([["a", entry("1")]]);
  expect(() => applyConfig({}, config, broken)).toThrow("broken");
});
