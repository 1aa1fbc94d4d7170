import { describe, expect, test } from "bun:test";
import { claudeCode } from "#tokens/cost/client-profiles/claude-code.ts";
import { pickDefinitionFormula } from "#tokens/cost/estimator.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import type { ServerListing } from "#lock/profile.ts";
import { computeSetupCosts } from "#lock/setup-report.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { makeCountingReader } from "../support/readers.ts";

const hash = (text: string): string => text;

function listing(names: readonly string[], instructions?: string): ServerListing {
  return {
    server: { name: "one", version: null, protocol_version: null, era: null },
    instructions,
    tools: names.map((name) => ({ name, description: "Reads.", inputSchema: { type: "object" } })),
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

const two = [listing(["a", "b"], "Be brief."), listing(["c"])];

describe("the cost of a server is that of its definitions", () => {
  const readers = [
    ["an unknown client", makeCountingReader()],
    ["a client that defers definitions", { ...makeCountingReader(), profile: claudeCode({}) }],
  ] as const;
  test.each(readers)("for %s", (_name, reader) => {
    const { costs } = computeSetupCosts(two, { reader, hash });
    for (const [at, { tools, instructions }] of two.entries()) {
      const price = estimateDefinitions({ tools, instructions }, reader, hash);
      expect(costs[at]).toMatchObject({
        tools: tools.length,
        definitions_tokens: price.total_tokens,
        instructions_tokens: price.instructions_tokens,
        resident_tokens: price.resident_tokens,
        is_deferred: price.is_deferred,
      });
    }
  });
});

test("a total is the sum, and a share that of the part in the context", () => {
  const { costs, total } = computeSetupCosts(two, { reader: makeCountingReader(), hash });
  const resident = costs.reduce((sum, cost) => sum + cost.resident_tokens, 0);
  expect(total).toMatchObject({ servers: 2, tools: 3, resident_tokens: resident, list_tokens: 0 });
  expect(total.percent_window).toBe(resident / 10);
});

test("having any tool is paid for once", () => {
  const { estimator } = resolveEstimator(
    { tokenizer: "claude" },
    { loadTokenizer: (encoding) => loadTokenizer(encoding) },
  );
  const reader = { ...makeCountingReader(), estimator };
  const { tokensPerList } = pickDefinitionFormula(estimator);
  expect(tokensPerList).toBeGreaterThan(0);
  const { costs, total } = computeSetupCosts([...two, listing([])], { reader, hash });
  const sum = costs.reduce((all, cost) => all + cost.definitions_tokens, 0);
  expect(total).toMatchObject({
    definitions_tokens: sum - tokensPerList,
    list_tokens: tokensPerList,
  });
  expect(computeSetupCosts([], { reader, hash }).total).toMatchObject({
    servers: 0,
    resident_tokens: 0,
  });
});

const makeReader = (windowTokens: number): Reader => ({
  ...makeCountingReader(),
  profile: claudeCode({ env: { ENABLE_TOOL_SEARCH: "auto:10" } }),
  windowTokens,
});

describe("a client that defers from a share of the window on", () => {
  const single = computeSetupCosts([listing(["c"])], { reader: makeReader(1), hash }).costs[0];
  const tokens = single?.definitions_tokens ?? 0;
  const { deferral } = makeReader(1).profile.definitions;
  const clientTokens = typeof deferral === "string" ? 0 : deferral.clientTokens;

  test("compares the definitions of all of its servers with it", () => {
    const same = [listing(["c"]), listing(["d"])];
    const isDeferred = (windowTokens: number): boolean[] =>
      computeSetupCosts(same, { reader: makeReader(windowTokens), hash }).costs.map(
        (cost) => cost.is_deferred,
      );
    // Each one alone takes less than 10 % of this window.
    expect(isDeferred(clientTokens * 10 + tokens * 15)).toEqual([true, true]);
    expect(isDeferred(clientTokens * 10 + tokens * 25)).toEqual([false, false]);
  });

  test("lists the names below it too, as a single server's definitions do", () => {
    const reader = makeReader(200_000);
    const [cost] = computeSetupCosts([listing(["c"])], { reader, hash }).costs;
    const { resident_tokens: alone } = estimateDefinitions(listing(["c"]), reader, hash);
    expect(cost?.resident_tokens).toBe(alone);
    expect(alone).toBeGreaterThan(tokens);
  });
});
