import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import * as fc from "fast-check";
import callsSchema from "#check/calls.schema.json" with { type: "json" };
import lockSchema from "#lock/lock.schema.json" with { type: "json" };
import recordSchema from "#records/record.schema.json" with { type: "json" };
import configSchema from "#state/storage/config/config.schema.json" with { type: "json" };
import { periods } from "#meter/budgets/budget.ts";
import { risks } from "#tokens/cost/risk.ts";
import { commands } from "#commands/index.ts";
import { formatLock } from "#lock/lock.ts";
import { isRecord } from "#state/storage/read-records.ts";
import { validate as validateCalls } from "../../dist/validators/calls.js";
import { validate as validateConfig } from "../../dist/validators/config.js";
import { validate as validateLock } from "../../dist/validators/lock.js";
import { buildValidators } from "../../scripts/validators.ts";
import { lockedTool, lockWith } from "../support/locks.ts";
import { everyRecord } from "../support/made-records.ts";

const folder = join(import.meta.dir, "..", "..", "dist", "validators");

const config = {
  $schema: "x",
  model: "m",
  window: 5,
  risk: [1, 2, 3],
  annotate: true,
  summary: "json",
  budgets: [{ tool: "t", limit: "20k", per: "session", action: "warn", warn_at: 50 }, { limit: 5 }],
  warn_at: 80,
};

const calls = [
  { tool: "t", arguments: { a: 1 }, isError: true, budget: 5, repeat: 2, name: "n" },
  { tool: "u", budget: "2k" },
];

const answers = [{ key: "0".repeat(64), tool: "t", tokens: 3 }];
const lock = JSON.parse(formatLock({ ...lockWith([lockedTool()]), answers }));

type Validate = (value: unknown) => boolean;
const pairs: readonly (readonly [
  name: string,
  schema: object,
  built: Validate,
  values: unknown[],
])[] = [
  ["config", configSchema, validateConfig, [config]],
  ["calls", callsSchema, validateCalls, [calls]],
  ["lock", lockSchema, validateLock, [lock]],
  ["record", recordSchema, isRecord, [...everyRecord]],
];

const stray = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 0.5, 101, 2 ** 53, "", "x", "1.0", [], {}, [{}]),
  fc.jsonValue({ maxDepth: 2 }),
);

function damaged(value: unknown, way: readonly number[], change: unknown): unknown {
  if (typeof value !== "object" || value === null || way.length === 0) return change;
  const [step = 0, ...rest] = way;
  const names = Object.keys(value);
  const copy = structuredClone(value) as { [name: string]: unknown };
  const name = names[step % (names.length + 1)];
  if (name === undefined) copy["stray"] = change;
  else if (step % 7 === 0) delete copy[name];
  else copy[name] = damaged(copy[name], rest, change);
  return Array.isArray(copy) ? copy.filter(() => true) : copy;
}

describe("each compiled validator", () => {
  for (const [name, schema, built, values] of pairs) {
    const published = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

    test(`${name}: accepts a full example`, () => {
      for (const value of values) {
        expect([published(value), built(value)]).toEqual([true, true]);
      }
    });

    const isSame = (value: unknown): boolean =>
      name === "record" ? !published(value) || built(value) : published(value) === built(value);

    test(`${name}: agrees with the published schema on damaged values`, () => {
      const step = fc.integer({ min: 0, max: 40 });
      fc.assert(
        fc.property(
          fc.constantFrom(...values),
          fc.array(step, { maxLength: 5 }),
          stray,
          (value, way, change) => expect(isSame(damaged(value, way, change))).toBe(true),
        ),
        { numRuns: 1_000 },
      );
    });

    test(`${name}: needs neither eval nor a part of ajv at run time`, () => {
      const code = readFileSync(join(folder, `${name}.js`), "utf8");
      expect(code).not.toMatch(/\b(?:eval|Function|require|import)\s*\(|\bimport\b/);
    });
  }
});

test("a second build leaves the files alone", async () => {
  await buildValidators();
  expect(await buildValidators()).toEqual([]);
});

describe("the schemas list the words that the code knows", () => {
  test("risks and periods", () => {
    expect<unknown>(lockSchema.$defs.tool.properties.risk.enum).toEqual(risks);
    expect<unknown>(configSchema.properties.budgets.items.properties.per.enum).toEqual(periods);
  });

  test("the config has the options of run", () => {
    const options = Object.keys(commands["run"]?.options ?? {});
    const known = Object.keys(configSchema.properties).map((name) => name.replaceAll("_", "-"));
    expect(known.filter((name) => !options.includes(name))).toEqual([
      "$schema",
      "client",
      "budgets",
      "locked",
      "user-header",
      "servers",
    ]);
    const flags = ["format", "json", "output", "wide"];
    expect(options.filter((name) => !known.includes(name)).toSorted()).toEqual(
      ["budget", "config", ...flags].toSorted(),
    );
    for (const flag of flags) expect(commands["run"]?.options[flag]?.isCommandLineOnly).toBe(true);
  });

  test("a section of a server has the same members, but its name, the retention of all and the lock of options", () => {
    const { section } = configSchema.$defs;
    const members = Object.keys(configSchema.properties).filter(
      (name) =>
        !["$schema", "locked", "server", "servers"].includes(name) && !name.startsWith("prune_"),
    );
    expect<unknown>(section.properties).toEqual(
      Object.fromEntries(members.map((name) => [name, { $ref: `#/properties/${name}` }])),
    );
    expect(section.additionalProperties).toBe(false);
  });
});
