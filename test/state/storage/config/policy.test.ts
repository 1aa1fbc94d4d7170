import { expect, test } from "bun:test";
import { locksDisable, readPolicy, pickSystemConfigs } from "#state/storage/config/policy.ts";
import { readConfig } from "../../../support/configs.ts";

const options = {
  budget: {},
  log: {},
  "on-fault": {},
  lock: {},
  "enforce-lock": {},
  config: {},
  json: { isCommandLineOnly: true },
};

const makePolicy = (locked: readonly string[], values = {}) =>
  readPolicy([readConfig("system", values, { locked }), readConfig("user", {})], options);

test("locked names of a config are those of options", () => {
  const { policy, unknown } = makePolicy(["budgets", "on_fault", "disable"]);
  expect([...(policy?.locked ?? [])]).toEqual(["budgets", "on-fault", "disable"]);
  expect([policy?.file, unknown, locksDisable(policy)]).toEqual(["/etc/c", [], true]);
});

test("nothing is locked without a system config, or by its absence there", () => {
  expect(readPolicy([], options)).toEqual({ policy: undefined, unknown: [] });
  expect(makePolicy([]).policy).toBeUndefined();
  expect(readPolicy([readConfig("user", {}, { locked: ["log"] })], options).policy).toBeUndefined();
  expect(locksDisable(undefined)).toBe(false);
});

test("a name that is not an option is a mistake, and costs no other name", () => {
  const { policy, unknown } = makePolicy(["budgts", "log", "config", "json", "on-fault", "budget"]);
  expect([...(policy?.locked ?? [])]).toEqual(["log"]);
  expect(unknown.map(({ fault }) => fault)).toEqual([
    '"locked" has "budgts", which cannot be locked (did you mean budgets?)',
    '"locked" has "config", which cannot be locked',
    '"locked" has "json", which cannot be locked',
    '"locked" has "on-fault", which cannot be locked (did you mean on_fault?)',
    '"locked" has "budget", which cannot be locked (did you mean budgets?)',
  ]);
  expect(unknown[0]).toMatchObject({ file: "/etc/c", cause: "locked" });
});

test("a lock that must be enforced is locked itself, where the system names one", () => {
  const values = { "enforce-lock": true, lock: "/srv/l" };
  expect(makePolicy(["enforce_lock"], values).policy?.locked.has("lock")).toBe(true);
  expect(makePolicy(["enforce_lock"]).policy?.locked.has("lock")).toBe(false);
});

test.each([
  ["a Redis", { counters: "redis://c" }, ["counters", "fleet", "counter-timeout"]],
  [
    "a Redis and a fleet",
    { counters: "redis://c", fleet: "f" },
    ["counters", "fleet", "counter-timeout"],
  ],
  ["a fleet", { fleet: "f" }, ["fleet"]],
  ["neither", {}, []],
])("locked budgets lock their counters where the system names %s", (_, values, names) => {
  const listLocked = (locked: readonly string[]) =>
    readPolicy([readConfig("system", values, { locked })], {
      ...options,
      counters: {},
      fleet: {},
    }).policy?.locked;
  expect([...(listLocked(["budgets"]) ?? [])]).toEqual(["budgets", ...names]);
  expect([...(listLocked(["log"]) ?? [])]).toEqual(["log"]);
});

test.each([
  [{ limit: "5k", per: "day" }, []],
  [{ limit: "5k", per: "day", owner: "user" }, ["user", "user-header"]],
  [{ limit: "$5", per: "day" }, ["model", "prices"]],
  [{ limit: "$5", per: "day", owner: "user" }, ["user", "model", "prices", "user-header"]],
] as const)("locked budgets lock what they depend on: %j", (budget, names) => {
  const values = { budgets: JSON.stringify([budget]) };
  const locked = makePolicy(["budgets"], values).policy?.locked ?? [];
  expect([...locked]).toEqual(["budgets", ...names]);
});

test("the system configs are known by their place", () => {
  const system = readConfig("system", {});
  expect(pickSystemConfigs([readConfig("user", {}), system, readConfig("named", {})])).toEqual([
    system,
  ]);
});
