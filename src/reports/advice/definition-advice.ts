import { adviceNamesMax, adviceSessionsMin, adviceTokensMin } from "#limits/records.ts";
import { unusedTools as toolsWithoutCall } from "#records/definition-summary.ts";
import type { DefinitionList } from "../definition-lists.ts";
import type { Advice, GrownTool } from "./advice.ts";
import type { ServerUsage } from "./server-usage.ts";

/** Definitions that are read in each session for nothing, or for more than before. */
export function definitionAdvice(usage: ServerUsage): Advice[] {
  return [...unusedServer(usage), ...unusedTools(usage), ...grownDefinitions(usage)];
}

function callsOf({ tools }: ServerUsage): number {
  return tools.reduce((sum, { usage }) => sum + usage.calls, 0);
}

/** A server that was started in several sessions and called in none. */
function unusedServer(usage: ServerUsage): Advice[] {
  const { server, sessions, lists } = usage;
  const tokens = lists.newest?.list.resident_tokens ?? 0;
  if (callsOf(usage) > 0 || sessions < adviceSessionsMin || tokens === 0) return [];
  return [{ kind: "unused_server", server, tool: null, tokens, per: "session", sessions }];
}

/** Tools that were never called, of a server that was. */
function unusedTools(usage: ServerUsage): Advice[] {
  const { server, sessions, lists, called } = usage;
  if (!lists.newest || callsOf(usage) === 0 || sessions < adviceSessionsMin) return [];
  const keys = new Set([...called].map((name) => `${server}\n${name}`));
  const unused = toolsWithoutCall([lists.newest.list], keys);
  if (!unused || unused.tokens < adviceTokensMin) return [];
  const { names, listed, tokens } = unused;
  const shown = names.slice(0, adviceNamesMax);
  return [
    {
      kind: "unused_tools",
      server,
      tool: null,
      tokens,
      per: "session",
      names: shown,
      unused: names.length,
      listed,
    },
  ];
}

/** Definitions that have become larger since the beginning of the period. */
function grownDefinitions({ server, lists: { oldestWhole, newestWhole } }: ServerUsage): Advice[] {
  if (!oldestWhole || !newestWhole) return [];
  const [before, after] = [oldestWhole.list, newestWhole.list];
  const tokens = after.total_tokens - before.total_tokens;
  if (tokens < adviceTokensMin) return [];
  return [
    {
      kind: "grown_definitions",
      server,
      tool: null,
      tokens,
      per: "session",
      before_tokens: before.total_tokens,
      after_tokens: after.total_tokens,
      since: oldestWhole.ts,
      tools: grownTools(before, after).slice(0, adviceNamesMax),
    },
  ];
}

/** Tools whose definition has grown or is new, those that grew most first. */
function grownTools(before: DefinitionList, after: DefinitionList): readonly GrownTool[] {
  const known = new Map(before.tools.map(({ name, tokens }) => [name, tokens]));
  return after.tools
    .map(({ name, tokens }) => ({
      name,
      before_tokens: known.get(name) ?? 0,
      after_tokens: tokens,
    }))
    .filter(({ before_tokens: old, after_tokens: now }) => now > old)
    .toSorted((one, other) => growth(other) - growth(one) || (one.name < other.name ? -1 : 1));
}

function growth({ before_tokens: before, after_tokens: after }: GrownTool): number {
  return after - before;
}
