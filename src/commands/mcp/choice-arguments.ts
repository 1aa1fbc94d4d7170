import { UserError } from "#kit/errors.ts";
import type { ServedArguments, ArgumentSchema } from "#transport/mcp-server/served-tool.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { isRangeEnd } from "#history/reports/time-range.ts";
import { rangeEndForms } from "../report/options.ts";
import { mcpServerSentences } from "#transport/mcp-server/sentences.ts";

export const nameArgument: ArgumentSchema = { type: "string", description: "name or wildcard" };

export function sinceArgument(byDefault: string): ArgumentSchema {
  return { type: "string", description: `such as 24h, 7d, 2026-11-01; default ${byDefault}` };
}

function textArgument(args: ServedArguments, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(value);
}

export function rangeArgument(args: ServedArguments, name: string): string | undefined {
  const text = textArgument(args, name);
  if (text === undefined || isRangeEnd(text)) return text;
  throw new UserError(mcpServerSentences.argumentValue(name, JSON.stringify(text), rangeEndForms));
}

export function nameFilters(args: ServedArguments): NameFilters {
  const one = (name: string): string[] => [textArgument(args, name) ?? []].flat();
  return { servers: one("server"), tools: one("tool"), clients: [] };
}
