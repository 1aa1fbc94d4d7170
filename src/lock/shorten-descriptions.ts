import type { JsonObject } from "#wire/json.ts";
import { editInputSchema, mapSchemas } from "./slim-schemas.ts";

export function shortenToolDescriptions(tool: JsonObject, charactersMax: number): JsonObject {
  const { description } = tool;
  const short = editInputSchema(tool, (schema) => shortenDescriptions(schema, charactersMax));
  if (typeof description !== "string") return short;
  return { ...short, description: shortenText(description, charactersMax) };
}

/** Shortens the descriptions of the schema and of all parameters. */
export function shortenDescriptions(schema: JsonObject, charactersMax: number): JsonObject {
  return mapSchemas(schema, "", (subschema) => {
    const { description } = subschema;
    if (typeof description !== "string" || description.length <= charactersMax) return undefined;
    return { ...subschema, description: shortenText(description, charactersMax) };
  });
}

const sentenceEnds = /[.!?](?=\s)|[。！？\n]/gu;

/** Cuts after the last sentence that fits or, if that is less than half of the allowed length, after a word. */
export function shortenText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const start = text.slice(0, charactersMax + 1);
  const ends = [...start.matchAll(sentenceEnds)].map(({ index }) => index + 1);
  const end = ends.findLast((candidate) => candidate <= charactersMax) ?? 0;
  if (end * 2 >= charactersMax) return text.slice(0, end).trimEnd();
  const words = text.slice(0, charactersMax - 1).toWellFormed();
  const space = words.search(/\s+\S*$/u);
  return `${(space * 2 >= charactersMax ? words.slice(0, space) : words).replace(/\uFFFD$/u, "")}…`;
}
