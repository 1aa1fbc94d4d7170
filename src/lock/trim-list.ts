import { attempt } from "#kit/errors.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { editElements } from "#wire/edit-line-bytes.ts";
import { parseExactly, writeExactly, replaceNonFinite } from "#wire/written-json.ts";
import { isEqual, isObject, type JsonObject, readString } from "#wire/json.ts";
import { editInputSchema, mapSchemas, slimTool } from "./slim-schemas.ts";

/** How a server's list of tools is shown to the client. Patterns have the same syntax as in budgets. */
export type TrimRules = {
  readonly hide: readonly string[];
  readonly only: readonly string[]; // all tools if empty
  readonly isSlim: boolean; // drops `$schema`, unused definitions, and titles that repeat a name
  readonly descriptionMax: number | undefined; // characters
};

export const noTrim: TrimRules = { hide: [], only: [], isSlim: false, descriptionMax: undefined };

export function hidesTools({ hide, only }: TrimRules): boolean {
  return hide.length > 0 || only.length > 0;
}

export function trimsLists(rules: TrimRules): boolean {
  return hidesTools(rules) || rules.isSlim || rules.descriptionMax !== undefined;
}

/** A call without a readable name may be for a hidden tool, so it counts as hidden if the rules hide any tools. */
export function isHiddenTool(rules: TrimRules, tool: string | null): boolean {
  if (tool === null) return hidesTools(rules);
  const { hide, only } = rules;
  const isNamed = (pattern: string): boolean => matchesWildcard(pattern, tool);
  return hide.some(isNamed) || (only.length > 0 && !only.some(isNamed));
}

export type TrimmedTools = {
  readonly shown: readonly JsonObject[];
  readonly hidden: readonly JsonObject[];
  // Maps each shortened definition to the definition that the server sent.
  readonly unshortened: ReadonlyMap<JsonObject, JsonObject>;
};

export function trimTools(tools: readonly JsonObject[], rules: TrimRules): TrimmedTools {
  const { hidden = [], listed = [] } = Object.groupBy(tools, (tool) =>
    isOmitted(rules, tool) ? "hidden" : "listed",
  );
  const unshortened = new Map<JsonObject, JsonObject>();
  const shown = listed.map((tool) => {
    const short = shortenTool(tool, rules);
    if (short !== tool) unshortened.set(short, tool);
    return short;
  });
  return { shown, hidden, unshortened };
}

/** The answer to `tools/list` that the client receives; undefined if it cannot be edited. */
export function trimListLine(line: Uint8Array, rules: TrimRules): Uint8Array | undefined {
  return editElements(line, "tools", (element) => {
    const json = new TextDecoder().decode(element);
    const exact = attempt(() => parseExactly(json));
    // A tool with an unusual number, such as Python's NaN, cannot be rewritten, so it is not shortened.
    const tool = exact ?? attempt((): unknown => JSON.parse(replaceNonFinite(json) ?? json));
    if (!isObject(tool)) return element;
    if (isOmitted(rules, tool)) return undefined;
    const short = exact === undefined ? tool : shortenTool(tool, rules);
    if (short === tool) return element;
    const written = attempt(() => writeExactly(short, (value) => JSON.stringify(value)));
    return written === undefined ? element : new TextEncoder().encode(written);
  });
}

// An element without a name matches no pattern, so `only` omits it and `hide` does not.
function isOmitted(rules: TrimRules, tool: JsonObject): boolean {
  const name = readString(tool, "name");
  return name === undefined ? rules.only.length > 0 : isHiddenTool(rules, name);
}

// Returns the same object if nothing changes.
function shortenTool(tool: JsonObject, { isSlim, descriptionMax }: TrimRules): JsonObject {
  let short = isSlim ? slimTool(tool) : tool;
  if (descriptionMax !== undefined) short = shortenToolDescriptions(short, descriptionMax);
  return isEqual(short, tool) ? tool : short;
}

function shortenToolDescriptions(tool: JsonObject, charactersMax: number): JsonObject {
  const { description } = tool;
  const short = editInputSchema(tool, (schema) => shortenDescriptions(schema, charactersMax));
  if (typeof description !== "string") return short;
  return { ...short, description: shortenText(description, charactersMax) };
}

export function shortenDescriptions(schema: JsonObject, charactersMax: number): JsonObject {
  return mapSchemas(schema, "", (subschema) => {
    const { description } = subschema;
    if (typeof description !== "string" || description.length <= charactersMax) return undefined;
    return { ...subschema, description: shortenText(description, charactersMax) };
  });
}

const sentenceEnds = /[.!?](?=\s)|[。！？\n]/gu;

/** Cuts after the last sentence that fits. If that leaves too little, cuts after a word, or within a long word. */
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
