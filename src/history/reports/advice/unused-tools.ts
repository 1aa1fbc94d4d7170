import { sumUnusedTools } from "#records/definition-summary.ts";
import type { UnusedSummary } from "#records/summary.ts";
import { adviceNamesMax, adviceTokensMin, type FoundAdvice } from "./advice.ts";
import type { LoggedToolNames, ServerUsage } from "./session-usage.ts";

// In fewer sessions, an unused tool or server may just not have been needed yet.
export const adviceSessionsMin = 3;

export function adviseUnusedDefinitions(usage: ServerUsage): FoundAdvice[] {
  return [...adviseUnusedServer(usage), ...adviseUnusedTools(usage), ...adviseUnusedNames(usage)];
}

function adviseUnusedServer(usage: ServerUsage): FoundAdvice[] {
  const { server, sessions, lists, calls } = usage;
  const tokens = lists.newest?.list.resident_tokens ?? 0;
  if (calls > 0 || sessions < adviceSessionsMin || tokens === 0) return [];
  return [{ kind: "unused_server", server, tool: null, tokens, per: "session", sessions }];
}

function adviseUnusedTools(usage: ServerUsage): FoundAdvice[] {
  const unused = findUnusedTools(usage);
  if (!unused) return [];
  const { names, listed, tokens } = unused;
  return [
    {
      kind: "unused_tools",
      server: usage.server,
      tool: null,
      tokens,
      per: "session",
      names: names.slice(0, adviceNamesMax),
      unused: names.length,
      listed,
    },
  ];
}

// Some clients list tools by name in every request, and load only the definitions that the model asks for.
function adviseUnusedNames({
  server,
  sessions,
  lists,
  loggedNames,
  calledTools,
  calls,
}: ServerUsage): FoundAdvice[] {
  if (lists.newest || sessions < adviceSessionsMin) return [];
  const names = [...new Set(loggedNames.flatMap(({ tools }) => tools))];
  const unused = names.filter((name) => !calledTools.has(name));
  const requests = loggedNames.reduce((sum, list) => sum + list.requests, 0);
  const tokens = Math.round(
    loggedNames.reduce((sum, list) => sum + estimateUnusedTokens(list, calledTools), 0),
  );
  if (tokens < adviceTokensMin) return [];
  const common = { server, tool: null, tokens, per: "period", requests } as const;
  if (calls === 0) return [{ ...common, kind: "listed_server", sessions }];
  const shown = unused.slice(0, adviceNamesMax);
  const facts = { names: shown, unused: unused.length, listed: names.length };
  return [{ ...common, kind: "listed_tools", ...facts }];
}

function estimateUnusedTokens(
  { tools, tokens, requests }: LoggedToolNames,
  calledTools: ReadonlySet<string>,
): number {
  const unused = tools.filter((name) => !calledTools.has(name)).length;
  return (tokens * requests * unused) / Math.max(1, tools.length);
}

/** The tools that no session called, except `exempt`; undefined if use is too rare to judge, or savings too small. */
export function findUnusedTools(
  usage: ServerUsage,
  sessionsMin = adviceSessionsMin,
  exempt: readonly string[] = [],
): UnusedSummary | undefined {
  const { server, sessions, lists, calledTools, calls } = usage;
  if (!lists.newest || calls === 0 || sessions < sessionsMin) return undefined;
  const keys = new Set([...calledTools, ...exempt].map((name) => `${server}\n${name}`));
  const unused = sumUnusedTools([lists.newest.list], keys);
  const saved = computeSavedTokens(usage, unused?.tokens ?? 0);
  return saved >= adviceTokensMin ? (unused ?? undefined) : undefined;
}

/** The tokens saved in the period. The newest list shrinks by `tokens`, and every older one by the same percentage. */
export function computeSavedTokens({ lists, residentTokens }: ServerUsage, tokens: number): number {
  const newestTokens = lists.newest?.list.resident_tokens ?? Infinity;
  return tokens === 0 ? 0 : (tokens / newestTokens) * residentTokens;
}
