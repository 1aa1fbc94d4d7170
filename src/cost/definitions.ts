import { definitionCharactersMax, nameCharactersMax } from "#limits.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { Bill } from "./bill.ts";
import { type Countable, inTurn } from "./countable.ts";
import type { DefinitionModel, PartTokens } from "./definition-model.ts";
import type { DefinitionPrice, DefinitionPrices } from "./definition-prices.ts";
import type { DefinitionsCost } from "./definitions-cost.ts";
import { definitionModel, type Estimator } from "./estimator.ts";
import type { Reader } from "./reader.ts";
import type { ToolList } from "./tool-list.ts";

/** Definitions that are being counted. */
export type DefinitionsDraft = {
  readonly bill: Countable;
  /** Their cost, once the bill is counted; `isUnread` when a text was priced by its length. */
  readonly finish: (isUnread: boolean) => DefinitionsCost;
};

/** A hash, SHA-256 in hexadecimal, and the prices counted before. */
export type DefinitionDeps = {
  readonly hash: (text: string) => string;
  readonly prices: DefinitionPrices;
};

type BegunTool = {
  readonly name: string;
  readonly sha256: string;
  /** The price; asked for when everything is counted. */
  readonly price: () => DefinitionPrice;
};

type PricedTool = Omit<BegunTool, "price"> & { readonly price: DefinitionPrice };

/** Members that a client passes to its model; all others stay on the wire. */
const modelMembers = new Set(["name", "description", "inputSchema"]);

/** Begins to price a list of tools and the server's instructions. */
export function draftDefinitions(
  list: Pick<ToolList, "tools" | "total" | "isComplete">,
  rawInstructions: string | undefined,
  reader: Reader,
  deps: DefinitionDeps,
): DefinitionsDraft {
  const { estimator } = reader;
  const model = definitionModel(estimator);
  const bill = new Bill(model);
  const { total, isComplete } = list;
  const begun = list.tools.map((tool) => priceTool(tool, bill, estimator, deps));
  const instructions = { tokens: 0 };
  // Instructions are text in a prompt, not a definition: they are counted like any other text.
  const textBill = new Bill(estimator);
  textBill.add(clip(rawInstructions ?? ""), (tokens) => (instructions.tokens = tokens));
  return {
    bill: inTurn(bill, textBill),
    finish(isUnread) {
      const priced = begun.map((tool) => ({ ...tool, price: tool.price() }));
      // A price by length must not be mistaken for a counted one the next time.
      if (!isUnread) {
        for (const { sha256, price } of priced)
          deps.prices.set(wayToCount(estimator), sha256, price);
      }
      const perList = priced.length === 0 ? 0 : model.perList;
      return sumPrices({ total, isComplete, perList }, priced, instructions.tokens, reader);
    },
  };
}

function priceTool(
  tool: JsonObject,
  bill: Bill,
  estimator: Estimator,
  deps: DefinitionDeps,
): BegunTool {
  const sha256 = deps.hash(canonicalJson(tool));
  const name = (textAt(tool, "name") ?? "").slice(0, nameCharactersMax);
  const known = deps.prices.get(wayToCount(estimator), sha256);
  if (known) return { name, sha256, price: () => known };
  const model = definitionModel(estimator);
  const description = clip(textAt(tool, "description") ?? "");
  const schema = memberAt(tool, "inputSchema");
  const texts = model.form({
    name: clip(textAt(tool, "name") ?? ""),
    description,
    schema: schema === undefined ? "" : clip(canonicalJson(schema)),
  });
  const rest = Object.entries(tool).filter(([key]) => !modelMembers.has(key));
  const parts = {
    name_tokens: beginPart(texts.name, [], bill, model),
    description_tokens: beginPart(texts.description, [description], bill, model),
    schema_tokens: beginPart(texts.schema, descriptionsIn(schema), bill, model),
    wire_only_tokens: beginPart(wireOnly(rest), [], bill, model),
  };
  return { name, sha256, price: () => pricedParts(parts) };
}

/** A part whose price is known when everything is counted. */
type Part = () => number;

function pricedParts(parts: { readonly [key in keyof DefinitionPrice]: Part }): DefinitionPrice {
  return {
    name_tokens: parts.name_tokens(),
    description_tokens: parts.description_tokens(),
    schema_tokens: parts.schema_tokens(),
    wire_only_tokens: parts.wire_only_tokens(),
  };
}

/** Puts a part on the bill; its descriptions only where they have a price of their own. */
function beginPart(
  text: string,
  descriptions: readonly string[],
  bill: Bill,
  model: DefinitionModel,
): Part {
  const counted: PartTokens = { text: 0, descriptions: 0 };
  bill.add(text, (tokens) => (counted.text = tokens));
  if (!model.price) return () => counted.text;
  for (const one of descriptions) bill.add(one, (tokens) => (counted.descriptions += tokens));
  return () => model.price?.(counted) ?? counted.text;
}

function wireOnly(members: readonly (readonly [string, unknown])[]): string {
  return members.length === 0 ? "" : clip(canonicalJson(Object.fromEntries(members)));
}

/** Every `description` inside a schema. */
function descriptionsIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptionsIn);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [clip(member)] : descriptionsIn(member),
  );
}

/** The key of prices that can be compared: another factor is another way to count. */
function wayToCount(estimator: Estimator): string {
  return `${estimator.id} ${definitionModel(estimator).encoding}`;
}

function sumPrices(
  list: { total: number; isComplete: boolean; perList: number },
  priced: readonly PricedTool[],
  instructionsTokens: number,
  { profile }: Reader,
): DefinitionsCost {
  const sum = (pick: (price: DefinitionPrice) => number): number =>
    priced.reduce((total, { price }) => total + pick(price), 0);
  const total = sum(modelTokens) + list.perList;
  const resident = profile.defersDefinitions ? sum((price) => price.name_tokens) : total;
  return {
    is_complete: list.isComplete,
    tools_total: list.total,
    tools: priced.map(({ name, sha256, price }) => {
      const tokens = modelTokens(price);
      const share = total === 0 ? 0 : Math.round((tokens / total) * 10_000) / 100;
      return { name, tokens, ...price, percent_total: share, sha256 };
    }),
    total_tokens: total,
    resident_tokens: resident + instructionsTokens,
    is_deferred: profile.defersDefinitions,
    wire_only_tokens: sum((price) => price.wire_only_tokens),
    instructions_tokens: instructionsTokens,
  };
}

/** Tokens that the model reads of a definition. */
function modelTokens(price: DefinitionPrice): number {
  return price.name_tokens + price.description_tokens + price.schema_tokens;
}

function clip(text: string): string {
  return text.slice(0, definitionCharactersMax);
}
