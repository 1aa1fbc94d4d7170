import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blockKinds, readBlocks } from "#tokens/cost/client-profiles/block.ts";
import type { ClientProfile } from "#tokens/cost/client-profiles/client-profile.ts";
import {
  clientExamples,
  findKnownProfile,
  findProfile,
  isTrialName,
} from "#tokens/cost/client-profiles/recognize-client.ts";

const fixture = /^testReads\(\s*"([^"]+)"/gm;

type Declarations = Pick<
  ClientProfile,
  | "order"
  | "besideStructured"
  | "showsUserBlocks"
  | "resourcesAsJson"
  | "addedArguments"
  | "trialNames"
  | "spillFolder"
> & {
  // Limit and unit for an answer of one long text; null if nothing is known to be cut.
  readonly limit: string | null;
  readonly deferral: ClientProfile["definitions"]["deferral"];
};

const usual: Declarations = {
  order: "prefer-content",
  besideStructured: [],
  showsUserBlocks: true,
  resourcesAsJson: false,
  limit: null,
  deferral: "never",
  addedArguments: [],
  trialNames: [],
  spillFolder: "state",
};
const allButText = blockKinds.filter((kind) => kind !== "text");

const declared: Readonly<Record<string, Partial<Declarations>>> = {
  "claude-code": {
    order: "prefer-structured",
    besideStructured: allButText,
    limit: "50000 characters",
    deferral: "always",
  },
  "codex-mcp-client": {
    order: "prefer-structured",
    resourcesAsJson: true,
    limit: "48000 bytes",
    deferral: "always",
  },
  "@cline/core": { order: "both", limit: "8000 characters" },
  "continue-cli-client": { order: "content-only" },
  "copilot-cli": { order: "content-then-structured", limit: "20480 bytes" },
  cursor: { deferral: "always" },
  "gemini-cli-mcp-client": {
    order: "content-only",
    limit: "40000 characters",
    addedArguments: ["wait_for_previous"],
    trialNames: ["mcp-test-client"],
    spillFolder: "workspace",
  },
  "jetbrains-*copilot-intellij": { order: "both" },
  "kimi-code": { order: "content-then-structured", limit: "50000 characters" },
  opencode: { limit: "51200 bytes" },
  "qwen-cli-mcp-client": {
    order: "structured-then-content",
    limit: "28000 characters",
    deferral: "always",
  },
  "visual studio code": {
    order: "prefer-structured",
    besideStructured: allButText,
    showsUserBlocks: false,
  },
};

const profiles = new Map(
  [...clientExamples, "jetbrains-iu-copilot-intellij"].map((name) => {
    const profile = findProfile(name);
    return [profile.names[0] ?? "", profile];
  }),
);

describe("each client", () => {
  for (const [name, profile] of profiles) {
    test(`${name} has names in lower case of which the longest finds it`, () => {
      expect(profile.names.length).toBeGreaterThan(0);
      for (const pattern of profile.names) {
        expect(pattern).toBe(pattern.toLowerCase());
        const found = findKnownProfile(pattern.replace("*", "iu-"));
        expect(found?.names).toEqual(profile.names);
      }
    });

    test(`${name} says with which version it was measured and when, or that it was not`, () => {
      if (!profile.measured) return;
      expect(profile.measured.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(profile.measured.on).toMatch(/^20\d\d-\d\d-\d\d$/);
    });

    test(`${name} has a rule for every kind of block, and no other`, () => {
      expect(Object.keys(profile.blocks).toSorted()).toEqual(blockKinds.toSorted());
      const [block] = readBlocks([{ type: "text", text: "a" }], false);
      if (!block) throw new Error("a block was expected");
      const answer = { echo: { tool: "weather", args: "" }, structured: undefined };
      for (const kind of blockKinds) {
        expect(Array.isArray(profile.blocks[kind](block, answer, false))).toBe(true);
      }
    });

    test(`${name} leaves less of a long answer than the answer, and says how much it was`, () => {
      const parts = [{ kind: "text", text: "x ".repeat(60_000) } as const];
      const terms = { declaredCharactersMax: () => undefined, blocks: 1, count: () => 60_000 };
      const limited = profile.limitAnswer?.(parts, terms);
      expect(limited !== undefined).toBe(profile.limitAnswer !== null);
      if (!limited) return;
      expect(limited.value).toBeGreaterThan(limited.limit);
      expect(JSON.stringify(limited.parts).length).toBeLessThan(60_000);
    });

    test(`${name} defers definitions or not, and what stays is less than a definition`, () => {
      const { deferral, formatTool, formatListing } = profile.definitions;
      const tool = {
        name: "weather",
        description: "Tells the weather".repeat(20),
        inputSchema: {},
      };
      if (deferral === "never") expect(formatListing(tool).length).toBeLessThan(20);
      expect(formatListing(tool).length).toBeLessThan(
        JSON.stringify(formatTool(tool, true)).length,
      );
      expect(JSON.stringify(formatTool(tool, true))).toContain("weather");
    });
  }
});

test("every profile has a fixture with the texts of every kind of answer", () => {
  const fixtures = readdirSync(import.meta.dir)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(import.meta.dir, file), "utf8").matchAll(fixture)])
    .map(([, name]) => findKnownProfile(name)?.names[0]);
  const stated = new Set(fixtures);
  expect([...profiles.keys()].filter((name) => !stated.has(name))).toEqual([]);
});

test.each([...profiles.keys()])("%s declares what stands here", (client) => {
  const model = client === "codex-mcp-client" ? { model: "gpt-5.5" } : {};
  const { limitAnswer, definitions, ...profile } = findProfile(client.replace("*", "iu-"), model);
  const terms = { declaredCharactersMax: () => undefined, blocks: 1, count: () => 0 };
  const limited = limitAnswer?.([{ kind: "text", text: "x ".repeat(60_000) }], terms);
  expect(Object.keys(declared)).toContain(client);
  expect({
    ...profile,
    limit: limited ? `${limited.limit} ${limited.unit}s` : null,
    deferral: definitions.deferral,
  }).toMatchObject({ ...usual, ...declared[client] });
});

const names: readonly (readonly [name: string | undefined, pattern: string | undefined])[] = [
  ["claude-code", "claude-code"],
  ["Claude-Code", "claude-code"],
  ["claude-code/2.1", "claude-code"],
  ["codex-mcp-client", "codex-mcp-client"],
  ["Codex", "codex-mcp-client"],
  ["Visual Studio Code - Insiders", "visual studio code"],
  ["Visual-Studio-Code", "visual studio code"],
  ["github-copilot-developer", "visual studio code"],
  ["opencode", "opencode"],
  ["kilo", "opencode"],
  ["kimi-code", "kimi-code"],
  ["continue-cli-client", "continue-cli-client"],
  ["@cline/core", "@cline/core"],
  ["gemini-cli-mcp-client-search", "gemini-cli-mcp-client"],
  ["qwen-cli-mcp-client-search", "qwen-cli-mcp-client"],
  ["copilot-cli", "copilot-cli"],
  ["cursor-vscode", "cursor"],
  ["JetBrains-IU-copilot-intellij", "jetbrains-*copilot-intellij"],
  ["JetBrains-WS/copilot-intellij", "jetbrains-*copilot-intellij"],
  ["JetBrains-IU", undefined],
  ["claude-ai", undefined],
  ["Kimi", undefined],
  ["Kilo Code", undefined],
  ["Cline", undefined],
  ["continue-client", undefined],
  ["my-claude-code", undefined],
  ["", undefined],
  [undefined, undefined],
];

test.each(names)("findProfile: %s has the profile of %s", (name, pattern) => {
  expect(findProfile(name).names[0]).toBe(pattern as string);
  expect(findProfile(name).order).toBe(findKnownProfile(name)?.order ?? "prefer-content");
});

test("examples are names that a user may write", () => {
  expect(clientExamples).toContain("copilot-cli");
  expect(clientExamples.some((name) => name.includes("*"))).toBe(false);
});

test("isTrialName knows the names under which clients only try a server", () => {
  expect(["mcp-test-client", "gemini-cli-mcp-client", "", undefined].map(isTrialName)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
