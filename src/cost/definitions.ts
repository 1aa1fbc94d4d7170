import { definitionCharactersMax, nameCharactersMax } from "#limits.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { compactJson, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { Bill } from "./bill.ts";
import { type Countable, inTurn } from "./countable.ts";
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

type PricedTool = {
  readonly name: string;
  readonly sha256: string;
  readonly price: { -readonly [K in keyof DefinitionPrice]: number };
};

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
  const priced = list.tools.map((tool) => priceTool(tool, bill, estimator, deps));
  const instructions = { tokens: 0 };
  // Instructions are text in a prompt, not a definition: they are counted like any other text.
  const textBill = new Bill(estimator);
  textBill.add(clip(rawInstructions ?? ""), (tokens) => (instructions.tokens = tokens));
  return {
    bill: inTurn(bill, textBill),
    finish(isUnread) {
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
): PricedTool {
  const sha256 = deps.hash(canonicalJson(tool));
  const name = (textAt(tool, "name") ?? "").slice(0, nameCharactersMax);
  const known = deps.prices.get(wayToCount(estimator), sha256);
  if (known) return { name, sha256, price: { ...known } };
  const price = { name_tokens: 0, description_tokens: 0, schema_tokens: 0, wire_only_tokens: 0 };
  const texts = definitionModel(estimator).form({
    name: clip(textAt(tool, "name") ?? ""),
    description: clip(textAt(tool, "description") ?? ""),
    schema: clip(compactJson(memberAt(tool, "inputSchema"))),
  });
  bill.add(texts.name, (tokens) => (price.name_tokens = tokens));
  bill.add(texts.description, (tokens) => (price.description_tokens = tokens));
  bill.add(texts.schema, (tokens) => (price.schema_tokens = tokens));
  const rest = Object.entries(tool).filter(([key]) => !modelMembers.has(key));
  if (rest.length > 0) {
    const text = clip(compactJson(Object.fromEntries(rest)));
    bill.add(text, (tokens) => (price.wire_only_tokens = tokens));
  }
  return { name, sha256, price };
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
