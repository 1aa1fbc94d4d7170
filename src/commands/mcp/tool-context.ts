import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { isRangeBound } from "#history/reports/time-range.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import {
  type ArgumentSchema,
  mcpServerSentences,
  type ServedArguments,
  type ServedTool,
} from "#transport/mcp-server/serve.ts";
import { rangeBoundForms } from "../since-until-options.ts";
import { findMachineImports, findMachineSources } from "../report/read-usage.ts";
import type { IsWanted } from "./question-queue.ts";

export type ToolContext = {
  readonly timezone: string | undefined;
  readonly prices: PriceBook | undefined;
  readonly io: Pick<Io, "env" | "platform">;
  readonly now: () => number;
};

export type ContextTool = Omit<ServedTool, "answer"> & {
  readonly answer: (
    args: ServedArguments,
    context: ToolContext,
    isWanted: IsWanted,
  ) => Promise<string>;
};

export const noRecordsYet = `There are no records yet. Put the servers of your clients behind mcp-meter with "mcp-meter wrap", and restart the clients`;

export function hasRecords({ env }: Pick<Io, "env">): boolean {
  const folder = findStateFolder(env);
  if (folder === undefined) return false;
  const found = [findMachineSources(folder, -Infinity), findMachineImports(folder, -Infinity)];
  return found.some(({ sources }) => sources.length > 0);
}

export const nameArgument: ArgumentSchema = { type: "string", description: "name or wildcard" };

export function describeSince(byDefault: string): ArgumentSchema {
  return { type: "string", description: `such as 24h, 7d, 2026-11-01; default ${byDefault}` };
}

export function parseRangeArgument(args: ServedArguments, name: string): string | undefined {
  const text = readArgument(args, name);
  if (text === undefined || isRangeBound(text)) return text;
  throw new UserError(
    mcpServerSentences.argumentValue(name, JSON.stringify(text), rangeBoundForms),
  );
}

export function parseNameFilters(args: ServedArguments): NameFilters {
  const [server, tool] = [readArgument(args, "server"), readArgument(args, "tool")];
  return {
    servers: server === undefined ? [] : [server],
    tools: tool === undefined ? [] : [tool],
    clients: [],
  };
}

function readArgument(args: ServedArguments, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(value);
}
