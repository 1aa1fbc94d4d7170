import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { actions } from "#meter/actions/index.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import { countResultCeiling } from "#tokens/cost/visibility.ts";
import { makeExcess } from "../../support/excess.ts";

const blocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary", maxLength: 400 }) }),
    fc.record({
      type: fc.constant("image"),
      data: fc.constant("AAAA"),
      mimeType: fc.constant("image/png"),
    }),
    fc.jsonValue(),
  ),
  { maxLength: 5 },
);
const results = fc.oneof(
  fc.record({ content: blocks, structuredContent: fc.jsonValue() }, { requiredKeys: [] }),
  fc.jsonValue(),
  fc.constant(undefined),
);

test("the rules of actions, which options read without them, name the same ones in their order", () => {
  expect(Object.keys(actionRules)).toEqual(Object.keys(actions));
});

describe("each action", () => {
  for (const [id, action] of Object.entries(actions)) {
    test(`${id} is known by its own name, and what waits does not reduce`, () => {
      expect(action.id).toBe(id);
      expect(action.waits && action.reduces).toBe(false);
    });

    test(`${id} gives what fits, a refusal or what it got, whatever the result, and leaves it as it was`, () => {
      fc.assert(
        fc.property(results, fc.nat({ max: 300 }), (result, room) => {
          const before = JSON.stringify(result);
          const excess = makeExcess(result, room);
          const answer = action.handleExcess(excess);
          expect(JSON.stringify(result)).toBe(before);
          expect(answer.kind === "pass").toBe(!action.holdsAnswers);
          if (answer.kind !== "replace") {
            expect(["pass", "refuse"]).toContain(answer.kind);
            return;
          }
          expect(action.reduces).toBe(true);
          expect(
            countResultCeiling(answer.result, excess.reader, excess.request),
          ).toBeLessThanOrEqual(room);
        }),
      );
    });
  }
});
