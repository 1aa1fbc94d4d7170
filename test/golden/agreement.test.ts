// profile, run, report, lock and check have one price for a definition, under every estimator.
import { describe, expect, test } from "bun:test";
import { estimatorIds } from "#estimators/ids.ts";
import { pricesByCommand } from "../support/agreement.ts";
import { trickyDefinitions } from "../support/tricky-definitions.ts";

describe("the prices of definitions that are hard to write alike", () => {
  for (const tokenizer of estimatorIds) {
    test(`agree under ${tokenizer}`, () => {
      const { profile, ...others } = pricesByCommand(trickyDefinitions, { tokenizer });
      expect(profile?.total).toBeGreaterThan(100);
      expect(profile?.tools).toHaveLength(trickyDefinitions.tools.length);
      for (const [command, priced] of Object.entries(others)) {
        expect({ command, ...priced }).toEqual({ command, ...(profile ?? expect.unreachable()) });
      }
    });
  }

  for (const client of ["claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "cursor"]) {
    test(`agree for ${client}`, () => {
      const asked = { tokenizer: "o200k", client } as const;
      const { profile, ...others } = pricesByCommand(trickyDefinitions, asked);
      for (const priced of Object.values(others)) expect<unknown>(priced).toEqual(profile);
    });
  }
});
