import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { lockedBudgetsOption } from "#meter/budgets/gate-options.ts";
import { applyPolicy } from "#state/storage/config/policy.ts";
import type { RawOption } from "#state/storage/config/config-file.ts";
import { readConfig } from "../../../support/configs.ts";

type Values = { readonly [name: string]: RawOption };

function governed(
  locked: readonly string[],
  [system, user, explicit]: readonly [system: Values, user: Values, explicit: Values],
) {
  const configs = [readConfig("system", system), readConfig("user", user)];
  const policy = { file: "/etc/c", locked: new Set(locked) };
  const { merged, overridden, ...left } = applyPolicy(policy, { configs, explicit, server: "s" });
  const values = Object.fromEntries([...merged].map(([name, { value }]) => [name, value]));
  return { values: { ...values, ...left.explicit }, overridden };
}

const rows: readonly (readonly [
  title: string,
  locked: readonly string[],
  sources: readonly [system: Values, user: Values, explicit: Values],
  values: Values,
  overridden: readonly string[],
])[] = [
  ["a flag", ["log"], [{ log: "a" }, {}, { log: "off" }], { log: "a" }, ["log"]],
  ["a user's file", ["log"], [{ log: "a" }, { log: "off" }, {}], { log: "a" }, ["log"]],
  ["the same value", ["log"], [{ log: "a" }, { log: "a" }, {}], { log: "a" }, []],
  ["a default", ["log"], [{}, { log: "b" }, { log: "off" }], {}, ["log"]],
  ["no wish of the user", ["log"], [{ log: "a" }, {}, {}], { log: "a" }, []],
  ["other options", ["log"], [{}, { slow: "3" }, { model: "m" }], { slow: "3", model: "m" }, []],
  [
    "on_alert",
    ["on-alert"],
    [{ "on-alert": "x" }, { "on-alert": "off" }, {}],
    { "on-alert": "x" },
    ["on_alert"],
  ],
  [
    "another spelling",
    ["summary"],
    [{ summary: "off" }, {}, { json: true, wide: true }],
    { summary: "off", wide: true },
    ["summary"],
  ],
  [
    "another spelling of a file",
    ["summary-file"],
    [{ "summary-file": "a" }, {}, { output: "b" }],
    { "summary-file": "a" },
    ["summary_file"],
  ],
  [
    "hidden tools of a user's file",
    ["hide"],
    [{ hide: ["a"] }, { hide: ["b"] }, {}],
    { hide: ["a", "b"] },
    [],
  ],
  [
    "hidden tools of a flag, which replaces the user's file",
    ["hide"],
    [{ hide: ["a"] }, { hide: ["b"] }, { hide: "c d" }],
    { hide: ["a", "c d"] },
    [],
  ],
  [
    "hidden tools where the system hides none",
    ["hide"],
    [{}, {}, { hide: ["c"] }],
    { hide: ["c"] },
    [],
  ],
  [
    "fewer repeats",
    ["max-repeats"],
    [{ "max-repeats": "5" }, {}, { "max-repeats": "2" }],
    { "max-repeats": "2" },
    [],
  ],
  [
    "more repeats",
    ["max-repeats"],
    [{ "max-repeats": "5" }, {}, { "max-repeats": "6" }],
    { "max-repeats": "5" },
    ["max_repeats"],
  ],
  [
    "repeats that are no number",
    ["max-repeats"],
    [{ "max-repeats": "5" }, {}, { "max-repeats": "x" }],
    { "max-repeats": "5" },
    ["max_repeats"],
  ],
  [
    "no repeats at all",
    ["max-repeats"],
    [{ "max-repeats": "5" }, {}, { "max-repeats": "0" }],
    { "max-repeats": "5" },
    ["max_repeats"],
  ],
  [
    "a tighter policy",
    ["on-fault"],
    [{}, { "on-fault": "closed" }, {}],
    { "on-fault": "closed" },
    [],
  ],
  [
    "a looser policy",
    ["on-fault"],
    [{ "on-fault": "closed" }, {}, { "on-fault": "open" }],
    { "on-fault": "closed" },
    ["on_fault"],
  ],
  [
    "counters that pass",
    ["on-counter-failure"],
    [{}, {}, { "on-counter-failure": "open" }],
    {},
    ["on_counter_failure"],
  ],
  [
    "counters that refuse",
    ["on-counter-failure"],
    [{ "on-counter-failure": "local" }, { "on-counter-failure": "closed" }, {}],
    { "on-counter-failure": "closed" },
    [],
  ],
  [
    "a lock that is not enforced",
    ["enforce-lock", "lock"],
    [{ "enforce-lock": true, lock: "a" }, {}, { "enforce-lock": "0" }],
    { "enforce-lock": true, lock: "a" },
    ["enforce_lock"],
  ],
  [
    "a lock that is, in other words",
    ["enforce-lock", "lock"],
    [{ "enforce-lock": true, lock: "a" }, {}, { "enforce-lock": "yes" }],
    { "enforce-lock": "yes", lock: "a" },
    [],
  ],
  [
    "another lock",
    ["enforce-lock", "lock"],
    [{ "enforce-lock": true, lock: "a" }, {}, { lock: "b" }],
    { "enforce-lock": true, lock: "a" },
    ["lock"],
  ],
  [
    "a lock that may not be named",
    ["lock"],
    [{}, {}, { lock: "b", "enforce-lock": true }],
    {},
    ["lock"],
  ],
  [
    "budgets of both",
    ["budgets"],
    [{ budgets: "[1]" }, { budgets: "[2]" }, {}],
    { budgets: "[2]", [lockedBudgetsOption]: "[1]" },
    [],
  ],
  [
    "budgets of a flag",
    ["budgets"],
    [{ budgets: "[1]" }, {}, { budget: ["9"] }],
    { budget: ["9"], [lockedBudgetsOption]: "[1]" },
    [],
  ],
  ["no budgets of the system", ["budgets"], [{}, { budgets: "[2]" }, {}], { budgets: "[2]" }, []],
  [
    "no budgets of the user",
    ["budgets"],
    [{ budgets: "[1]" }, {}, {}],
    { [lockedBudgetsOption]: "[1]" },
    [],
  ],
];

describe("under a policy", () => {
  for (const [title, locked, sources, values, overridden] of rows) {
    test(title, () =>
      expect(governed(locked, sources)).toEqual({ values, overridden: [...overridden] }),
    );
  }

  test("without one the options are unchanged", () => {
    const configs = [readConfig("system", { log: "a" }), readConfig("user", { log: "b" })];
    const explicit = { model: "m" };
    const { merged, ...others } = applyPolicy(undefined, { configs, explicit, server: undefined });
    expect(others).toEqual({ explicit, overridden: [] });
    expect(merged.get("log")?.value).toBe("b");
  });

  test("locked budgets of a section are added to those for every server", () => {
    const servers = { s: { budgets: "[2]" }, other: { budgets: "[3]" } };
    const system = readConfig("system", { budgets: "[1]" }, { servers });
    const user = readConfig("user", {}, { servers: { s: { budgets: "[]" } } });
    const sources = { configs: [system, user], explicit: {}, server: "s" };
    const policy = { file: "/etc/c", locked: new Set(["budgets"]) };
    const { merged } = applyPolicy(policy, sources);
    expect(merged.get(lockedBudgetsOption)).toMatchObject({
      value: "[1,2]",
      origin: { file: "/etc/c" },
    });
    expect(merged.get("budgets")?.value).toBe("[]");
  });
});

const repeats = fc.integer({ min: 1, max: 9 }).map(String);
const policies = fc.constantFrom("open", "local", "closed");
const values = fc.record(
  {
    log: fc.constantFrom("a", "b", "off", "-"),
    "max-repeats": repeats,
    "on-fault": fc.constantFrom("open", "closed"),
    "on-counter-failure": policies,
    budgets: fc.array(fc.integer({ min: 1, max: 9 })).map((list) => JSON.stringify(list)),
  },
  { requiredKeys: [] },
);
const layer = fc.record({ general: values, section: values });
const explicitValues = fc.record(
  {
    log: fc.constantFrom("a", "off"),
    "max-repeats": fc.oneof(repeats, fc.constant("many")),
    "on-fault": fc.constantFrom("open", "closed", "maybe"),
    "on-counter-failure": policies,
    budget: fc.array(fc.constantFrom("9", "1/day"), { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const names = ["log", "max-repeats", "on-fault", "on-counter-failure", "budgets"] as const;

const looseness: { readonly [name: string]: (value: unknown) => number } = {
  "max-repeats": (value) => (value === undefined ? Infinity : Number(value)),
  "on-fault": (value = "open") => ["closed", "open"].findIndex((level) => level === value),
  "on-counter-failure": (value = "local") =>
    ["closed", "local", "open"].findIndex((level) => level === value),
};

test("whatever a user says, a locked option is never looser than the system has it", () => {
  const layers = fc.tuple(layer, layer, explicitValues, fc.subarray([...names]));
  const law = fc.property(layers, ([system, user, explicit, locked]) => {
    const configs = [
      readConfig("system", system.general, { servers: { s: system.section } }),
      readConfig("user", user.general, { servers: { s: user.section } }),
    ];
    const policy = { file: "/etc/c", locked: new Set<string>(locked) };
    const held = applyPolicy(policy, { configs, explicit, server: "s" });
    const value = (name: string) => held.explicit[name] ?? held.merged.get(name)?.value;
    const fixed: Values = { ...system.general, ...system.section };
    for (const name of locked) {
      const measure = looseness[name];
      if (measure) {
        expect(measure(value(name))).toBeLessThanOrEqual(measure(fixed[name]));
        expect(measure(value(name))).toBeGreaterThanOrEqual(0);
      } else if (name === "budgets") {
        const wanted = [system.general.budgets, system.section.budgets].flatMap((json) =>
          JSON.parse(json ?? "[]"),
        );
        expect(JSON.parse(String(value(lockedBudgetsOption) ?? "[]"))).toEqual(wanted);
      } else expect(value(name)).toBe(fixed[name]);
    }
    const free = names.filter((name) => !locked.includes(name) && name !== "budgets");
    const before = applyPolicy(undefined, { configs, explicit, server: "s" });
    for (const name of free) {
      expect(value(name)).toBe(before.explicit[name] ?? before.merged.get(name)?.value);
    }
  });
  fc.assert(law, { numRuns: 2_000 });
});
