import { adviceNamesMax, adviceSessionsMin, adviceTokensMin } from "#limits.ts";
import type { Advice } from "./advice.ts";
import type { ServerUsage } from "./server-usage.ts";

/** Definitions that are read in each session for nothing, or for more than before. */
export function definitionAdvice(usage: ServerUsage): Advice[] {
  return [...unusedServer(usage), ...unusedTools(usage), ...grownDefinitions(usage)];
}

/** A server that was started in several sessions and called in none. */
function unusedServer({ server, summary }: ServerUsage): Advice[] {
  const { total, sessions, definitions } = summary;
  const tokens = definitions?.resident_tokens ?? 0;
  if (total.calls > 0 || sessions < adviceSessionsMin || tokens === 0) return [];
  return [{ kind: "unused_server", server, tool: null, tokens, per: "session", sessions }];
}

/** Tools that were never called, of a server that was. */
function unusedTools({ server, summary }: ServerUsage): Advice[] {
  const { unused, total, sessions } = summary;
  if (!unused || total.calls === 0 || sessions < adviceSessionsMin) return [];
  const { names, listed, tokens } = unused;
  if (tokens < adviceTokensMin) return [];
  const shown = names.slice(0, adviceNamesMax);
  return [
    { kind: "unused_tools", server, tool: null, tokens, per: "session", names: shown, listed },
  ];
}

/** Definitions that have become larger since the beginning of the period. */
function grownDefinitions({ server, definitions }: ServerUsage): Advice[] {
  if (!definitions) return [];
  const { oldest, newest } = definitions;
  const tokens = newest.tokens - oldest.tokens;
  if (tokens < adviceTokensMin) return [];
  const sizes = { before_tokens: oldest.tokens, after_tokens: newest.tokens };
  const kind = "grown_definitions";
  return [{ kind, server, tool: null, tokens, per: "session", ...sizes, since: oldest.ts }];
}
