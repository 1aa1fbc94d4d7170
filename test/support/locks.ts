import type { Lock, LockedTool } from "#lock/lock.ts";
import { sha256 } from "#kit/os/hash.ts";
import { canonicalizeJson, type JsonObject } from "#wire/json.ts";

const sha = (letter: string): string => letter.repeat(64);

export function lockedTool(changes: Partial<LockedTool> = {}): LockedTool {
  return {
    name: "tool",
    sha256: sha("a"),
    definition: {
      name: "tool",
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
    },
    tokens: { total: 50, name: 1, description: 9, schema: 40, wire_only: 0 },
    fields: { input: 1, output: 0 },
    is_bounded: true,
    worst_case_tokens: 900,
    risk: "low",
    ...changes,
  };
}

export function changedTool(changes: Partial<LockedTool>): LockedTool {
  return lockedTool({ sha256: sha("e"), ...changes });
}

export function lockWith(tools: readonly LockedTool[], changes: Partial<Lock> = {}): Lock {
  return {
    lock_version: "2.3",
    server: { name: "s", version: "1", website_url: null, icons: [] },
    estimator: "o200k",
    risk_thresholds: [1_000, 4_000, 8_000],
    instructions: { sha256: null, tokens: 0 },
    total_tokens: tools.reduce((sum, { tokens }) => sum + tokens.total, 0),
    tools,
    prompts: [],
    resource_templates: [],
    ...changes,
  };
}

export function lockedDefinition(definition: JsonObject & { readonly name: string }): LockedTool {
  return lockedTool({
    name: definition.name,
    definition,
    sha256: sha256(canonicalizeJson(definition)),
  });
}
