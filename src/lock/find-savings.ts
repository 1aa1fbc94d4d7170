import { sumBy } from "#kit/text/numbers.ts";
import { computePercent, type DefinitionsCost } from "#tokens/cost/definitions-cost.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { readString, isObject, readMember, type JsonObject } from "#wire/json.ts";
import { type Profile, type ProfileContext, type ServerListing } from "./profile.ts";
import { descriptionTokensMax } from "./recommendations.ts";
import {
  dropDialect,
  dropNameTitles,
  dropUnusedDefinitions,
  editInputSchema,
  type SchemaEdit,
} from "./trim-tools.ts";

export const savingTokensMin = 20;

// A percentage of the tokens of all definitions.
const savingPercentMin = 1;

// Two equal descriptions may be a coincidence.
const repeatedTextToolsMin = 3;

type Saving = {
  readonly kind:
    "long_description" | "schema_dialect" | "name_title" | "unused_definitions" | "repeated_text";
  readonly tokens: number;
  readonly percent_total: number;
  readonly tools: readonly string[];
  // Begins with a verb.
  readonly text: string;
};

export type ProfileWithSavings = Profile & { readonly savings: readonly Saving[] };

type Candidate = Omit<Saving, "percent_total">;

// Savings are measured separately: together they may save less.
export function findSavings(
  listing: ServerListing,
  definitions: DefinitionsCost,
  context: ProfileContext,
): Saving[] {
  const candidates: Candidate[] = [
    findLongDescriptions(definitions),
    ...edits.map(({ edit, kind, text }) => {
      const measured = measureEdit(edit, listing, definitions, context);
      return { kind, ...measured, text };
    }),
    findRepeatedTexts(listing, context),
  ];
  const total = definitions.total_tokens;
  return candidates
    .map((saving) => ({ ...saving, percent_total: computePercent(saving.tokens, total) }))
    .filter(
      ({ tokens, percent_total: percent }) =>
        tokens >= savingTokensMin && percent >= savingPercentMin,
    )
    .toSorted((a, b) => b.tokens - a.tokens);
}

function findLongDescriptions({ tools }: DefinitionsCost): Candidate {
  const longTools = tools.filter(({ description_tokens: tokens }) => tokens > descriptionTokensMax);
  return {
    kind: "long_description",
    tokens: sumBy(longTools, (tool) => tool.description_tokens - descriptionTokensMax),
    tools: longTools.map(({ name }) => name),
    text: `shorten each description to ${descriptionTokensMax} tokens`,
  };
}

function measureEdit(
  edit: SchemaEdit,
  { tools, skills, instructions }: ServerListing,
  before: DefinitionsCost,
  { reader, hash }: ProfileContext,
): Pick<Candidate, "tokens" | "tools"> {
  const edited = tools.map((tool) => editInputSchema(tool, edit));
  const after = estimateDefinitions({ tools: edited, skills, instructions }, reader, hash);
  const changed = before.tools.filter(
    ({ tokens }, at) => tokens > (after.tools[at]?.tokens ?? tokens),
  );
  return {
    tokens: before.total_tokens - after.total_tokens,
    tools: changed.map(({ name }) => name),
  };
}

function findRepeatedTexts({ tools }: ServerListing, { reader }: ProfileContext): Candidate {
  const toolIndicesByText = new Map<string, number[]>();
  for (const [at, tool] of tools.entries()) {
    for (const text of collectParameterTexts(tool)) {
      const indices = toolIndicesByText.get(text) ?? [];
      indices.push(at);
      toolIndicesByText.set(text, indices);
    }
  }
  const repeated = [...toolIndicesByText].filter(
    ([, indices]) => indices.length >= repeatedTextToolsMin,
  );
  const affectedTools = new Set(repeated.flatMap(([, indices]) => indices));
  return {
    kind: "repeated_text",
    tokens: sumBy(
      repeated,
      ([text, indices]) => (indices.length - 1) * reader.estimator.count(text),
    ),
    tools: tools.flatMap((tool, at) =>
      affectedTools.has(at) ? (readString(tool, "name") ?? "") : [],
    ),
    text: "move repeated parameter descriptions to the instructions",
  };
}

const edits: readonly (Pick<Candidate, "kind" | "text"> & { readonly edit: SchemaEdit })[] = [
  { edit: dropDialect, kind: "schema_dialect", text: "drop $schema" },
  {
    edit: dropNameTitles,
    kind: "name_title",
    text: "drop titles that repeat the name of the tool or parameter",
  },
  { edit: dropUnusedDefinitions, kind: "unused_definitions", text: "drop unused $defs" },
];

export function collectParameterTexts(tool: JsonObject): ReadonlySet<string> {
  const properties = readMember(tool, "inputSchema", "properties");
  const schemas = isObject(properties) ? Object.values(properties) : [];
  const texts = schemas.map((schema) => readMember(schema, "description"));
  return new Set(texts.filter((text) => typeof text === "string"));
}
