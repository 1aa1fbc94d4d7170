import { expect, test } from "bun:test";
import { basename } from "node:path";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { profileServer, type Profile } from "#lock/profile.ts";
import { sha256 as hash } from "#kit/os/hash.ts";
import { makeCountingReader } from "../support/readers.ts";
import { dataFiles } from "../tokens/tokenizer/support/files.ts";

const files = await dataFiles();
const reader = makeCountingReader();

async function profileCaptured(file: string): Promise<Profile> {
  const { server: name, version, tools } = await Bun.file(file).json();
  const server = { name, version, protocol_version: null, era: "legacy" } as const;
  const lists = { prompts: [], resources: [], resourceTemplates: [] };
  const listing = { server, instructions: undefined, tools, ...lists };
  const definitions = estimateDefinitions({ tools }, reader, hash);
  return profileServer(listing, definitions, { reader, thresholds: riskThresholdsDefault, hash });
}

test.skipIf(files.length === 0)(
  "no captured tool has a risk that its definition does not support",
  async () => {
    const judged: string[] = [];
    for (const file of files) {
      const { tools, verdict } = await profileCaptured(file);
      const sized = tools.filter(({ risk }) => risk !== null);
      judged.push(...sized.map(({ name, risk }) => `${basename(file, ".json")} ${name} ${risk}`));
      expect(verdict.risk === null).toBe(sized.length === 0);
    }
    expect(judged.toSorted()).toEqual([
      "apify report-problem low",
      "arxiv get_paper_latex critical",
      "arxiv get_paper_latex_section critical",
      "redis dbsize low",
      "redis hexists low",
      "redis llen low",
    ]);
  },
);
