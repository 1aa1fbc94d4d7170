import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { importerIds } from "#history/importers/ids.ts";
import { groupTurns } from "#history/imports/conversation-turns.ts";
import { validateModels } from "#history/imports/validate/validate-models.ts";
import { makeValidationReport } from "#history/imports/validate/validation-report.ts";
import importSchema from "../../../src/screens/renderers/import.schema.json" with { type: "json" };
import validateSchema from "../../../src/screens/renderers/validate.schema.json" with { type: "json" };
import { steadyConversation } from "../../history/imports/support/facts.ts";
import { DatabaseHome } from "../../support/database-home.ts";
import { reportOf } from "../../support/logs.ts";

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });

test.each(importerIds)("import --json of %s follows its schema", async (client) => {
  using home = new DatabaseHome(client);
  const report = await reportOf(client, [home.path], ["docs", "my_notes"]);
  expect([ajv.validate(importSchema, { clients: [report] }), ajv.errors]).toEqual([true, null]);
  const { usage_by_model: left, ...rest } = { ...report, other: 1 };
  expect(Object.keys(left).length).toBeGreaterThan(0);
  expect(ajv.validate(importSchema, { clients: [rest] })).toBe(false);
});

const size = (index: number): number => 200 + 20 * index;

test.each([0, 3, 40])("validate --json of %i steps follows its schema", (steps) => {
  const client = {
    client: "claude-code",
    models: validateModels(groupTurns(steadyConversation(steps, size, size))),
    findEstimator: () => ({ id: "claude", confidence: "medium", method: "bpe-scaled" }) as const,
  };
  const report = makeValidationReport([client]);
  expect([ajv.validate(validateSchema, report), ajv.errors]).toEqual([true, null]);
});
