import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalizeJson, type JsonObject, readString } from "#wire/json.ts";
import {
  type PendingTool,
  beginTool,
  type DefinitionDeps,
  sumModelTokens,
  makeEstimatorKey,
  type DefinitionPrice,
  createDefinitionPrices,
  findNarrowingParameters,
} from "./begin-tool.ts";
import { Bill, type Countable, chainBills } from "./bill.ts";
import { defers, formatSkill } from "./client-profiles/client-profile.ts";
import type { DefinitionsCost, ListedSkill, ToolDefinition } from "./definitions-cost.ts";
import { pickDefinitionModel } from "./estimator.ts";
import { type ExactList, splitTokens, type Reader } from "./exact-prices.ts";
import type { ToolList } from "./tool-list.ts";

type DefinitionsDraft = {
  readonly bill: Countable;
  readonly finish: (hasUncounted: boolean) => DefinitionsCost;
};

type PendingDefinition = {
  readonly listed: PendingTool;
  readonly shown: PendingTool;
  readonly loaded: PendingTool;
  readonly listing: { tokens: number };
  readonly isPreloaded: boolean;
  readonly narrowing: readonly string[] | undefined;
};

export type ListedDefinitions = Pick<ToolList, "total" | "isComplete"> & {
  readonly tools: readonly JsonObject[];
  readonly skills?: readonly JsonObject[] | undefined;
};

export function draftDefinitions(
  list: ListedDefinitions,
  instructionsText: string | undefined,
  reader: Reader,
  deps: DefinitionDeps,
): DefinitionsDraft {
  const model = pickDefinitionModel(reader.estimator);
  const bill = new Bill(model);
  // Instructions and name lists are prompt text, not definitions, so they are counted like other text.
  const textBill = new Bill(reader.estimator);
  const pending = list.tools.map((tool) => beginDefinition(tool, { bill, textBill }, reader, deps));
  const instructions = beginInstructions(instructionsText ?? "", textBill, reader);
  const skills = (list.skills ?? []).map((skill) => beginSkill(skill, textBill, reader, deps));
  return {
    bill: chainBills(bill, textBill),
    finish(hasUncounted) {
      // A price estimated by length must not be reused later.
      if (!hasUncounted) for (const definition of pending) rememberPrices(definition, reader, deps);
      const exact = reader.exact?.find(pending.map(({ listed }) => listed.sha256));
      const perList = exact?.perList ?? (pending.length === 0 ? 0 : model.perList);
      const { total, isComplete } = list;
      const sums = sumPrices({ total, isComplete, perList, exact }, pending, instructions, reader);
      return skills.length === 0 ? sums : addSkills(sums, skills);
    },
  };
}

type Bills = { readonly bill: Bill; readonly textBill: Bill };

function beginDefinition(
  tool: JsonObject,
  { bill, textBill }: Bills,
  { estimator, profile }: Reader,
  deps: DefinitionDeps,
): PendingDefinition {
  const { deferral, form, listing, isPreloaded: preloads } = profile.definitions;
  const isPreloaded = preloads?.(tool) === true;
  const begin = (shown: JsonObject, listedTool?: PendingTool): PendingTool =>
    listedTool && shown === tool ? listedTool : beginTool(shown, bill, estimator, deps);
  const listed = begin(tool);
  const listingCost = { tokens: 0 };
  const isNamed = deferral !== "never" && !isPreloaded;
  if (isNamed) textBill.add(listing(tool), (count) => (listingCost.tokens = count));
  const isShown = deferral !== "always" || isPreloaded;
  const shown = isShown ? begin(form(tool, false), listed) : listed;
  const loaded = isNamed ? begin(form(tool, true), listed) : shown;
  const narrowing = findNarrowingParameters(tool);
  return { listed, shown, loaded, listing: listingCost, isPreloaded, narrowing };
}

type InstructionTokens = { listed: number; resident: number; loading: number };

function beginInstructions(text: string, bill: Bill, { profile }: Reader): InstructionTokens {
  const { deferral, instructions, loadedInstructions } = profile.definitions;
  const tokens: InstructionTokens = { listed: 0, resident: 0, loading: 0 };
  if (text === "") return tokens;
  bill.add(text, (count) => (tokens.listed = count));
  bill.add(instructions(text, deferral === "always"), (count) => (tokens.resident = count));
  if (deferral !== "never") bill.add(loadedInstructions(text), (count) => (tokens.loading = count));
  return tokens;
}

type PendingSkill = {
  readonly name: string;
  readonly sha256: string;
  listed: number;
  shown: number;
};

function beginSkill(
  skill: JsonObject,
  bill: Bill,
  { profile }: Reader,
  { hash }: DefinitionDeps,
): PendingSkill {
  const [name = "", description = ""] = ["name", "description"].map((key) =>
    readString(skill, "frontmatter", key),
  );
  const sha256 = hash(canonicalizeJson(skill));
  const skillCost = { name: name.slice(0, nameCharactersMax), sha256, listed: 0, shown: 0 };
  const text = { name, description };
  const { skill: formatShown = formatSkill } = profile.definitions;
  bill.add(formatSkill(text), (count) => (skillCost.listed = count));
  bill.add(formatShown(text), (count) => (skillCost.shown = count));
  return skillCost;
}

// The skill list stays in context even if tool definitions are loaded on demand.
function addSkills(sums: DefinitionsCost, skills: readonly PendingSkill[]): DefinitionsCost {
  const sum = (pick: (skill: PendingSkill) => number): number =>
    skills.reduce((total, skill) => total + pick(skill), 0);
  return {
    ...sums,
    skills: skills.map(({ name, sha256, listed }): ListedSkill => ({
      name,
      tokens: listed,
      sha256,
    })),
    total_tokens: sums.total_tokens + sum(({ listed }) => listed),
    resident_tokens: sums.resident_tokens + sum(({ shown }) => shown),
  };
}

function rememberPrices(
  { listed, shown, loaded }: PendingDefinition,
  reader: Reader,
  deps: DefinitionDeps,
) {
  const estimatorKey = makeEstimatorKey(reader.estimator);
  for (const tool of new Set([listed, shown, loaded]))
    deps.prices.set(estimatorKey, tool.sha256, tool.price());
}

type PricedDefinition = {
  readonly listed: PendingTool;
  readonly price: DefinitionPrice;
  readonly shown: number;
  readonly loaded: number;
  readonly listing: number;
  readonly isPreloaded: boolean;
  readonly narrowing: readonly string[] | undefined;
};

type PricedList = {
  readonly total: number;
  readonly isComplete: boolean;
  readonly perList: number;
  readonly exact: ExactList | undefined;
};

function sumPrices(
  list: PricedList,
  pending: readonly PendingDefinition[],
  instructions: InstructionTokens,
  { profile, windowTokens }: Reader,
): DefinitionsCost {
  const priced = pending.map((definition, at) =>
    priceDefinition(definition, list.exact?.tokens[at]),
  );
  const sum = (pick: (definition: PricedDefinition) => number): number =>
    priced.reduce((total, definition) => total + pick(definition), 0);
  const total = sum(({ price }) => sumModelTokens(price)) + list.perList;
  const { deferral, repeatsInstructions: isRepeated } = profile.definitions;
  const isDeferred = defers(deferral, total, windowTokens);
  const perTool = isRepeated ? instructions.loading : 0;
  const residentPerList =
    isDeferred && !priced.some((definition) => definition.isPreloaded) ? 0 : list.perList;
  const loadedOnce = isDeferred && !isRepeated ? instructions.loading : 0;
  return {
    is_complete: list.isComplete,
    tools_total: list.total,
    tools: priced.map((definition) =>
      describeDefinition({ ...definition, loaded: definition.loaded + perTool }, total, isDeferred),
    ),
    total_tokens: total,
    resident_tokens:
      sum((definition) => countResidentTokens(definition, isDeferred)) +
      instructions.resident +
      residentPerList,
    is_deferred: isDeferred,
    wire_only_tokens: sum(({ price }) => price.wire_only_tokens),
    instructions_tokens: instructions.listed,
    ...(loadedOnce > 0 ? { loading_tokens: loadedOnce } : {}),
    ...(list.exact && { counted_by: list.exact.source }),
  };
}

function priceDefinition(
  { listed, shown, loaded, listing, isPreloaded, narrowing }: PendingDefinition,
  exact: number | undefined,
): PricedDefinition {
  const estimate = listed.price();
  const price = exact === undefined ? estimate : splitTokens(estimate, exact);
  const correction = sumModelTokens(price) - sumModelTokens(estimate);
  const correct = (tool: PendingTool): number =>
    Math.max(0, sumModelTokens(tool.price()) + correction);
  return {
    listed,
    price,
    shown: correct(shown),
    loaded: correct(loaded),
    listing: listing.tokens,
    isPreloaded,
    narrowing,
  };
}

// Claude Code lists the names even if it then loads every definition.
function countResidentTokens(
  { shown, listing, isPreloaded }: PricedDefinition,
  isDeferred: boolean,
): number {
  return isDeferred && !isPreloaded ? listing : shown + listing;
}

function describeDefinition(
  definition: PricedDefinition,
  total: number,
  isDeferred: boolean,
): ToolDefinition {
  const { listed, price, narrowing } = definition;
  const tokens = sumModelTokens(price);
  const context = isDeferred && !definition.isPreloaded ? definition.loaded : definition.shown;
  const share = total === 0 ? 0 : Math.round((tokens / total) * 10_000) / 100;
  return {
    name: listed.name,
    tokens,
    ...price,
    percent_total: share,
    sha256: listed.sha256,
    ...(context === tokens ? {} : { context_tokens: context }),
    ...(isDeferred ? { resident_tokens: countResidentTokens(definition, isDeferred) } : {}),
    ...(narrowing ? { narrowing_parameters: narrowing } : {}),
  };
}

type ListedTexts = Pick<ListedDefinitions, "tools" | "skills"> & {
  readonly instructions?: string | undefined;
};

export function priceDefinitions(
  { tools, skills, instructions }: ListedTexts,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  const list = { tools, skills, total: tools.length, isComplete: true };
  const prices = createDefinitionPrices();
  const draft = draftDefinitions(list, instructions, reader, { hash, prices });
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  return draft.finish(false);
}
