// The published schema of the config file is the one that reads it.
import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { configSchema } from "#storage/config-file.ts";
import published from "#storage/config.schema.json" with { type: "json" };
import { z } from "zod";

test("the published schema says what is read", () => {
  const { title: _title, description: _description, ...schema } = published;
  expect<unknown>(schema).toEqual(z.toJSONSchema(configSchema, { io: "input" }));
});

test.each([
  [{ summary: "json", budgets: [{ tool: "search", limit: "20k", per: "session" }] }, true],
  [{}, true],
  [{ budgets: [{ tool: "search" }] }, false],
  [{ sever: "x" }, false],
  [{ risk: [1, 2] }, false],
])("%j fits: %j", (config, fits) => {
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validate(published, config)).toBe(fits);
});
