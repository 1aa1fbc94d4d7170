import { expect, test } from "bun:test";
import { groupTurns } from "#history/imports/conversation-turns.ts";
import { validateModels, cleanStepsMin } from "#history/imports/validate/validate-models.ts";
import { noUsage } from "#history/imports/log-event.ts";
import { requestAt, steadyConversation } from "../support/facts.ts";

const size = (index: number): number => 100 + 37 * index;

// native = 38 + 1.25 × estimated
function validate(steps: number) {
  const sources = steadyConversation(steps, size, (index) => Math.round(38 + 1.25 * size(index)));
  return validateModels(groupTurns(sources));
}

test("clean steps give the framing and the scale that the conversation was made with", () => {
  const [found] = validate(60);
  expect(found?.steps).toMatchObject({ total: 60, clean: 60 });
  expect(found?.fit?.scale).toBeCloseTo(1.25, 2);
  expect(Math.abs((found?.fit?.offset ?? 0) - 38)).toBeLessThan(2);
  // Unscaled, a quarter of the estimate is missing: 0.25 / 1.25 for the larger answers.
  expect(found?.fit?.medianError).toBeCloseTo(0.2, 1);
});

test("with one step too few there is no fit", () => {
  expect(validate(cleanStepsMin)[0]?.fit).toBeDefined();
  expect(validate(cleanStepsMin - 1)[0]?.fit).toBeUndefined();
});

test("each step is clean or left out for one reason", () => {
  const sources = steadyConversation(10, size, size);
  const boundary = {
    kind: "boundary" as const,
    at: 35,
    conversation: "c",
    reason: "compaction" as const,
    line: null,
  };
  const text = {
    kind: "entry" as const,
    at: 55,
    conversation: "c",
    entry: "text" as const,
    line: null,
  };
  const turns = groupTurns({ ...sources, boundaries: [boundary], entries: [text] });
  const { total, clean, leftOut } = validateModels(turns)[0]?.steps ?? {};
  const left = Object.values(leftOut ?? {}).reduce((sum, steps) => sum + steps, 0);
  expect([total, clean, left]).toEqual([10, 8, 2]);
});

test("an answer larger than its whole prompt is impossible", () => {
  const sources = steadyConversation(
    3,
    (index) => (index === 1 ? 1_000_000 : 10),
    () => 10,
  );
  expect(validateModels(groupTurns(sources))[0]?.impossibleRequests).toBe(1);
});

test("each model has its own row, the one with the most requests first", () => {
  const sources = steadyConversation(5, size, size);
  const unrelated = requestAt(900, { model: "other", conversation: "d" });
  const none = requestAt(901, { model: null, conversation: "e" });
  const turns = groupTurns({ ...sources, requests: [unrelated, ...sources.requests, none] });
  expect(validateModels(turns).map(({ model, requests }) => [model, requests])).toEqual([
    ["m", 6],
    [null, 1],
    ["other", 1],
  ]);
});

test("a step after reasoning that the client dropped is left out for that reason", () => {
  const { requests, ...sources } = steadyConversation(
    5,
    () => 200,
    () => 200,
  );
  const thought = { output: 1_050, reasoning: 1_000 };
  const changed = requests.map((request, index) =>
    index === 2 ? { ...request, usage: { ...request.usage, ...thought } } : request,
  );
  const found = validateModels(groupTurns({ ...sources, requests: changed }))[0];
  expect(found?.steps).toMatchObject({
    total: 5,
    clean: 4,
    leftOut: { reasoning: 1, boundary: 0 },
  });
});

test("a side request, as for a title, is no step and adds nothing to the conversation", () => {
  const { requests, ...sources } = steadyConversation(
    5,
    () => 2_000,
    () => 2_000,
  );
  // Between an answer and the request that reads it.
  const side = requestAt(23, { usage: { ...noUsage, uncached: 300, output: 10 } });
  const [plain] = validateModels(groupTurns({ ...sources, requests }));
  const [found] = validateModels(groupTurns({ ...sources, requests: [...requests, side] }));
  if (!plain) throw new Error("no model");
  expect(found).toEqual({
    ...plain,
    requests: 7,
    inputTokens: plain.inputTokens + 300,
    outputTokens: plain.outputTokens + 10,
  });
});
