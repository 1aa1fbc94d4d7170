import type { DefinitionsRecord } from "#records/record.ts";
import type { ReadDefinition } from "../apis/api.ts";
import { countTokens, type Pair } from "./answers.ts";

export type Context = {
  readonly texts: readonly string[];
  readonly definitions: readonly ReadDefinition[];
};

export type ComparedDefinitions = { readonly resident: Pair; readonly loaded: Pair };

export function compareDefinitions(
  record: DefinitionsRecord,
  contexts: { readonly without: Context; readonly first: Context; readonly last: Context },
  tools: readonly string[],
): ComparedDefinitions {
  const { without, first, last } = contexts;
  const resident = {
    read: countContextTokens(pickAdded(without, first)),
    counted: record.resident_tokens,
  };
  const loaded = {
    read: countContextTokens(pickAdded(first, last)),
    counted: countLoadedTokens(record, tools),
  };
  return { resident, loaded };
}

function pickAdded(earlier: Context, later: Context): Context {
  const known = new Set(earlier.definitions.map(({ name }) => name));
  const definitions = later.definitions.filter(({ name }) => !known.has(name));
  return { texts: [findNewLines(splitLines(earlier), splitLines(later)).join("\n")], definitions };
}

function splitLines({ texts }: Context): readonly string[] {
  return texts.flatMap((text) => text.split("\n"));
}

function findNewLines(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const remaining = new Map<string, number>();
  for (const line of earlier) remaining.set(line, (remaining.get(line) ?? 0) + 1);
  return later.filter((line) => {
    const times = remaining.get(line) ?? 0;
    remaining.set(line, times - 1);
    return times < 1;
  });
}

function countContextTokens({ texts, definitions }: Context): number {
  const all = [
    ...texts,
    ...definitions.flatMap(({ name, description, schema }) => [
      name,
      description,
      JSON.stringify(schema) ?? "",
    ]),
  ];
  return all.reduce((sum, text) => sum + countTokens(text), 0);
}

function countLoadedTokens(record: DefinitionsRecord, tools: readonly string[]): number {
  if (!record.is_deferred) return 0;
  const loaded = record.tools.filter(({ name }) => tools.includes(name));
  const tokens = loaded.map(({ tokens: whole, context_tokens: shown = whole }) => shown);
  return tokens.reduce((sum, count) => sum + count, record.loading_tokens ?? 0);
}
