import type { DefinitionsCost } from "#tokens/cost/definitions-cost.ts";
import { priceDefinitions } from "#tokens/cost/price-definitions.ts";
import { descriptionTokensMax } from "../limits.ts";
import { textAt } from "#wire/json.ts";
import { percentOf } from "../percent.ts";
import type { Profile, ProfileTerms, ServerListing } from "../profile.ts";
import {
  parameterTexts,
  type SchemaEdit,
  withoutDialect,
  withoutNameTitles,
  withoutUnusedDefinitions,
} from "./schema-edits.ts";

export const savingTokensMin = 20;

const savingPercentMin = 1;

// Two tools with the same description may be a coincidence.
const repeatedTextToolsMin = 3;

export type Saving = {
  readonly kind:
    "long_description" | "schema_dialect" | "name_title" | "unused_definitions" | "repeated_text";
  readonly tokens: number;
  /** Of all definitions. */
  readonly percent_total: number;
  /** In the order of the list. */
  readonly tools: readonly string[];
  /** Begins with a verb. */
  readonly text: string;
};

export type PricedProfile = Profile & { readonly savings: readonly Saving[] };

type Change = Pick<Saving, "kind" | "tokens" | "tools" | "text">;

/** Largest first. Measured separately: together they may save less. */
export function findSavings(
  listing: ServerListing,
  definitions: DefinitionsCost,
  terms: ProfileTerms,
): Saving[] {
  const edited = (edit: SchemaEdit): Pick<Change, "tokens" | "tools"> =>
    measureEdit(edit, listing, definitions, terms);
  const changes: Change[] = [
    longDescriptions(definitions),
    { kind: "schema_dialect", ...edited(withoutDialect), text: "leave out $schema" },
    {
      kind: "name_title",
      ...edited(withoutNameTitles),
      text: "leave out titles that repeat the name of their parameter",
    },
    {
      kind: "unused_definitions",
      ...edited(withoutUnusedDefinitions),
      text: "leave out $defs that no parameter refers to",
    },
    repeatedTexts(listing, terms),
  ];
  const total = definitions.total_tokens;
  return changes
    .map((change) => ({ ...change, percent_total: percentOf(change.tokens, total) }))
    .filter(
      ({ tokens, percent_total: percent }) =>
        tokens >= savingTokensMin && percent >= savingPercentMin,
    )
    .toSorted((one, other) => other.tokens - one.tokens);
}

function longDescriptions({ tools }: DefinitionsCost): Change {
  const long = tools.filter(({ description_tokens: tokens }) => tokens > descriptionTokensMax);
  return {
    kind: "long_description",
    tokens: long.reduce((sum, { description_tokens: own }) => sum + own - descriptionTokensMax, 0),
    tools: long.map(({ name }) => name),
    text: `shorten descriptions to ${descriptionTokensMax} tokens`,
  };
}

function measureEdit(
  edit: SchemaEdit,
  { tools, skills, instructions }: ServerListing,
  before: DefinitionsCost,
  { reader, hash }: ProfileTerms,
): Pick<Change, "tokens" | "tools"> {
  const after = priceDefinitions({ tools: tools.map(edit), skills, instructions }, reader, hash);
  const changed = before.tools.filter(
    ({ tokens }, at) => tokens > (after.tools[at]?.tokens ?? tokens),
  );
  return {
    tokens: before.total_tokens - after.total_tokens,
    tools: changed.map(({ name }) => name),
  };
}

function repeatedTexts({ tools }: ServerListing, { reader }: ProfileTerms): Change {
  const users = new Map<string, number[]>();
  for (const [at, tool] of tools.entries()) {
    for (const text of parameterTexts(tool)) {
      const own = users.get(text) ?? [];
      own.push(at);
      users.set(text, own);
    }
  }
  const repeated = [...users].filter(([, own]) => own.length >= repeatedTextToolsMin);
  const places = new Set(repeated.flatMap(([, own]) => own));
  return {
    kind: "repeated_text",
    tokens: repeated.reduce(
      (sum, [text, own]) => sum + (own.length - 1) * reader.estimator.count(text),
      0,
    ),
    tools: tools.flatMap((tool, at) => (places.has(at) ? (textAt(tool, "name") ?? "") : [])),
    text: "state descriptions of parameters that several tools repeat once, in the instructions",
  };
}
