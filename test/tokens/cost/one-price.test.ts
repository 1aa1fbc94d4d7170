import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createDefinitionCache } from "#tokens/cost/count-definition.ts";
import { draftDefinitions, estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { tiktoken } from "../estimators/support/counters.ts";
import { sha256 } from "../../support/play.ts";
import { makeCountingReader } from "../../support/readers.ts";

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

const anyTool = fc.record({
  name: fc.string({ maxLength: 8 }),
  description: fc.string({ maxLength: 30 }),
  inputSchema: fc.dictionary(
    fc.constantFrom("type", "description", "properties", "é", "z"),
    fc.oneof(fc.string({ maxLength: 10 }), fc.object({ maxDepth: 2 })),
  ),
  annotations: fc.object({ maxDepth: 1 }),
});

for (const id of estimatorIds) {
  test(`${id}: any order of keys, with and without a cache`, () => {
    const reader = { ...makeCountingReader(), estimator: createEstimator(id, tiktoken) };
    const definitionCache = createDefinitionCache();
    fc.assert(
      fc.property(fc.array(anyTool, { maxLength: 3 }), (tools) => {
        const price = estimateDefinitions({ tools, instructions: "be kind" }, reader, sha256);
        const turned = tools.map(reversed).filter((tool): tool is JsonObject => isObject(tool));
        expect(
          estimateDefinitions({ tools: turned, instructions: "be kind" }, reader, sha256),
        ).toEqual(price);
        for (const order of [tools, turned]) {
          const list = { tools: order, total: order.length, isComplete: true };
          const draft = draftDefinitions(list, "be kind", reader, {
            hash: sha256,
            definitionCache,
          });
          while (draft.bill.charactersLeft > 0) draft.bill.advance(7);
          expect(draft.finish(false)).toEqual(price);
        }
      }),
      { numRuns: 40 },
    );
  });
}
