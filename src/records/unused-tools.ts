import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { CallRecord, DefinitionsRecord } from "./record.ts";
import type { UnusedSummary } from "./summary.ts";
import { toolRowsMax } from "./tool-rows.ts";

// Keys of tools that were called: `SERVER\nTOOL`.
export type CalledTools = ReadonlySet<string>;

export const calledToolsMax = 10 * toolRowsMax;

// Undefined for prompts and resources.
export function makeCalledToolKey({ server, method, tool }: CallRecord): string | undefined {
  return method === "tools/call" && tool !== null ? `${server}\n${tool}` : undefined;
}

type ListedTools = Pick<DefinitionsRecord, "server" | "tools" | "tools_total" | "is_deferred">;

// Older records lack `resident_tokens` and `context_tokens`.
function countUnusedTokens(list: ListedTools, tool: ToolDefinition): number {
  if (list.is_deferred) return tool.resident_tokens ?? tool.name_tokens;
  return tool.context_tokens ?? tool.tokens;
}

export function sumUnusedTools(
  records: readonly ListedTools[],
  called: CalledTools,
): UnusedSummary | null {
  if (records.length === 0) return null;
  const unused = records.flatMap((record) =>
    record.tools
      .filter((tool) => !called.has(`${record.server}\n${tool.name}`))
      .map((tool) => ({ name: tool.name, tokens: countUnusedTokens(record, tool) })),
  );
  return {
    unused: unused.length,
    listed: records.reduce((sum, record) => sum + record.tools_total, 0),
    tokens: unused.reduce((sum, tool) => sum + tool.tokens, 0),
    names: unused.map((tool) => tool.name),
  };
}
