import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalizeJson, type JsonObject, readString } from "#wire/json.ts";
import {
  type PendingTokens,
  startCountingDefinition,
  type DefinitionDeps,
  sumModelTokens,
  makeEstimatorKey,
  createDefinitionCache,
} from "./count-definition.ts";
import { findNarrowingParameters } from "./narrowing-parameter-names.ts";
import { Bill, type Countable, chainBills } from "./bill.ts";
import { defers, formatSkill } from "./client-profiles/client-profile.ts";
import {
  computePercent,
  type DefinitionsCost,
  type ListedSkill,
  type ToolDefinition,
  type DefinitionTokens,
} from "./definitions-cost.ts";
import { pickDefinitionFormula } from "./estimator.ts";
import { type ExactList, splitTokens } from "./maker-counts.ts";
import type { Reader } from "./reader.ts";
import type { ToolList } from "./tool-list.ts";

type DefinitionsDraft = {
  readonly bill: Countable;
  readonly finish: (hasUncounted: boolean) => DefinitionsCost;
};

// The client receives a tool as `listed`. The model reads the tool as `shown` at first, and as `loaded` on demand.
type PendingForms = {
  readonly listed: PendingTokens;
  readonly shown: PendingTokens;
  readonly loaded: PendingTokens;
  readonly listing: { tokens: number }; // the prompt line that announces a tool before it is loaded
  readonly isPreloaded: boolean;
  readonly narrowing: readonly string[] | undefined;
};

export type ListedDefinitions = Pick<ToolList, "total" | "isComplete"> & {
  readonly tools: readonly JsonObject[];
  readonly skills?: readonly JsonObject[] | undefined;
  readonly hidden?: readonly JsonObject[];
  // For each shortened definition in `tools`, the server's original.
  readonly unshortened?: ReadonlyMap<JsonObject, JsonObject>;
};

export function draftDefinitions(
  list: ListedDefinitions,
  instructionsText: string | undefined,
  reader: Reader,
  deps: DefinitionDeps,
): DefinitionsDraft {
  const formula = pickDefinitionFormula(reader.estimator);
  const bill = new Bill(formula);
  // Instructions, skills and lists of names are prompt text, which an estimator may scale differently from definitions.
  const textBill = new Bill(reader.estimator);
  const pending = list.tools.map((tool) => beginForms(tool, { bill, textBill }, reader, deps));
  const untrimmed = beginUntrimmed(list, bill, reader, deps);
  const instructions = beginInstructions(instructionsText ?? "", textBill, reader);
  const skills = (list.skills ?? []).map((skill) => beginSkill(skill, textBill, reader, deps));
  return {
    bill: chainBills(bill, textBill),
    finish(hasUncounted) {
      // Tokens estimated by length must not be remembered.
      if (!hasUncounted) {
        const forms = pending.flatMap(({ listed, shown, loaded }) => [listed, shown, loaded]);
        const untrimmedForms = [...untrimmed.hidden, ...untrimmed.unshortened.values()];
        rememberTokens([...forms, ...untrimmedForms], reader, deps);
      }
      const exact = reader.makerCounts?.find(pending.map(({ listed }) => listed.sha256));
      const tokensPerList =
        exact?.tokensPerList ?? (pending.length === 0 ? 0 : formula.tokensPerList);
      const { total, isComplete } = list;
      const sums = addUpDefinitions(
        { total, isComplete, tokensPerList, exact },
        pending,
        instructions,
        reader,
      );
      const all = skills.length === 0 ? sums : addSkills(sums, skills);
      return addUntrimmed(all, list, pending, untrimmed);
    },
  };
}

type Bills = { readonly bill: Bill; readonly textBill: Bill };

function beginForms(
  tool: JsonObject,
  { bill, textBill }: Bills,
  { estimator, profile }: Reader,
  deps: DefinitionDeps,
): PendingForms {
  const { deferral, formatTool, formatListing, isPreloaded: preloads } = profile.definitions;
  const isPreloaded = preloads?.(tool) === true;
  const listed = startCountingDefinition(tool, bill, estimator, deps);
  const begin = (form: JsonObject): PendingTokens =>
    form === tool ? listed : startCountingDefinition(form, bill, estimator, deps);
  const listing = { tokens: 0 };
  const isNamed = deferral !== "never" && !isPreloaded;
  if (isNamed) textBill.add(formatListing(tool), (count) => (listing.tokens = count));
  const isShown = deferral !== "always" || isPreloaded;
  const shown = isShown ? begin(formatTool(tool, false)) : listed;
  const loaded = isNamed ? begin(formatTool(tool, true)) : shown;
  return { listed, shown, loaded, listing, isPreloaded, narrowing: findNarrowingParameters(tool) };
}

type UntrimmedForms = {
  readonly hidden: readonly PendingTokens[];
  readonly unshortened: ReadonlyMap<JsonObject, PendingTokens>;
};

function beginUntrimmed(
  { hidden = [], unshortened = new Map() }: ListedDefinitions,
  bill: Bill,
  { estimator }: Reader,
  deps: DefinitionDeps,
): UntrimmedForms {
  const begin = (tool: JsonObject): PendingTokens =>
    startCountingDefinition(tool, bill, estimator, deps);
  const pairs = [...unshortened].map(([short, tool]) => [short, begin(tool)] as const);
  return { hidden: hidden.map(begin), unshortened: new Map(pairs) };
}

// A lock pins what the server lists, so a shortened tool has the hash of the original.
function addUntrimmed(
  sums: DefinitionsCost,
  list: ListedDefinitions,
  pending: readonly PendingForms[],
  { hidden, unshortened }: UntrimmedForms,
): DefinitionsCost {
  if (hidden.length === 0 && unshortened.size === 0) return sums;
  const hiddenTools = hidden.map((tool) => ({
    name: tool.name,
    tokens: sumModelTokens(tool.readTokens()),
    sha256: tool.sha256,
  }));
  let untrimmedTokens = hiddenTools.reduce((sum, { tokens }) => sum + tokens, sums.total_tokens);
  const tools = sums.tools.map((tool, at) => {
    const short = list.tools[at];
    const original = short && unshortened.get(short);
    if (!original) return tool;
    const estimated = pending[at]?.listed.readTokens();
    untrimmedTokens +=
      sumModelTokens(original.readTokens()) - (estimated ? sumModelTokens(estimated) : 0);
    return { ...tool, sha256: original.sha256 };
  });
  return { ...sums, tools, hidden_tools: hiddenTools, untrimmed_tokens: untrimmedTokens };
}

type InstructionTokens = { listed: number; resident: number; loading: number };

function beginInstructions(text: string, bill: Bill, { profile }: Reader): InstructionTokens {
  const { deferral, formatInstructions, formatLoadedInstructions } = profile.definitions;
  const tokens: InstructionTokens = { listed: 0, resident: 0, loading: 0 };
  if (text === "") return tokens;
  bill.add(text, (count) => (tokens.listed = count));
  bill.add(formatInstructions(text, deferral === "always"), (count) => (tokens.resident = count));
  if (deferral !== "never")
    bill.add(formatLoadedInstructions(text), (count) => (tokens.loading = count));
  return tokens;
}

type PendingSkill = {
  readonly name: string;
  readonly sha256: string;
  listedTokens: number;
  shownTokens: number;
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
  const shortName = name.slice(0, nameCharactersMax);
  const pending: PendingSkill = { name: shortName, sha256, listedTokens: 0, shownTokens: 0 };
  const text = { name, description };
  const { formatSkill: formatShown = formatSkill } = profile.definitions;
  bill.add(formatSkill(text), (count) => (pending.listedTokens = count));
  bill.add(formatShown(text), (count) => (pending.shownTokens = count));
  return pending;
}

// The list of skills stays in context even if tool definitions are loaded on demand.
function addSkills(sums: DefinitionsCost, skills: readonly PendingSkill[]): DefinitionsCost {
  const sum = (pick: (skill: PendingSkill) => number): number =>
    skills.reduce((total, skill) => total + pick(skill), 0);
  return {
    ...sums,
    skills: skills.map(({ name, sha256, listedTokens }): ListedSkill => ({
      name,
      tokens: listedTokens,
      sha256,
    })),
    total_tokens: sums.total_tokens + sum(({ listedTokens }) => listedTokens),
    resident_tokens: sums.resident_tokens + sum(({ shownTokens }) => shownTokens),
  };
}

function rememberTokens(
  forms: readonly PendingTokens[],
  { estimator }: Reader,
  { definitionCache }: DefinitionDeps,
) {
  for (const form of new Set(forms))
    definitionCache.set(makeEstimatorKey(estimator), form.sha256, form.readTokens());
}

type CountedDefinition = Pick<PendingForms, "listed" | "isPreloaded" | "narrowing"> & {
  readonly parts: DefinitionTokens;
  readonly shownTokens: number;
  readonly loadedTokens: number;
  readonly listingTokens: number;
};

type ListContext = Pick<ToolList, "total" | "isComplete"> & {
  readonly tokensPerList: number;
  readonly exact: ExactList | undefined;
};

function addUpDefinitions(
  list: ListContext,
  pending: readonly PendingForms[],
  instructions: InstructionTokens,
  { profile, windowTokens }: Reader,
): DefinitionsCost {
  const counted = pending.map((definition, at) => measureForms(definition, list.exact?.tokens[at]));
  const sum = (pick: (definition: CountedDefinition) => number): number =>
    counted.reduce((total, definition) => total + pick(definition), 0);
  const total = sum(({ parts }) => sumModelTokens(parts)) + list.tokensPerList;
  const { deferral, repeatsInstructions } = profile.definitions;
  const isDeferred = defers(deferral, total, windowTokens);
  const loadedTokensPerTool = repeatsInstructions ? instructions.loading : 0;
  const loadedTokensOnce = isDeferred && !repeatsInstructions ? instructions.loading : 0;
  const residentPerList =
    isDeferred && !counted.some((definition) => definition.isPreloaded) ? 0 : list.tokensPerList;
  return {
    is_complete: list.isComplete,
    tools_total: list.total,
    tools: counted.map((definition) =>
      makeToolDefinition(
        { ...definition, loadedTokens: definition.loadedTokens + loadedTokensPerTool },
        total,
        isDeferred,
      ),
    ),
    total_tokens: total,
    resident_tokens:
      sum((definition) => countResidentTokens(definition, isDeferred)) +
      instructions.resident +
      residentPerList,
    is_deferred: isDeferred,
    wire_only_tokens: sum(({ parts }) => parts.wire_only_tokens),
    instructions_tokens: instructions.listed,
    ...(loadedTokensOnce > 0 ? { loading_tokens: loadedTokensOnce } : {}),
    ...(list.exact && { counted_by: list.exact.source }),
  };
}

// Only the listed form can have an exact count, from the model's maker. The other forms are corrected by the difference
// between that count and the estimate of the listed form.
function measureForms(
  { listed, shown, loaded, listing, isPreloaded, narrowing }: PendingForms,
  exact: number | undefined,
): CountedDefinition {
  const estimate = listed.readTokens();
  const parts = exact === undefined ? estimate : splitTokens(estimate, exact);
  const correction = sumModelTokens(parts) - sumModelTokens(estimate);
  const correct = (form: PendingTokens): number =>
    Math.max(0, sumModelTokens(form.readTokens()) + correction);
  return {
    listed,
    parts,
    shownTokens: correct(shown),
    loadedTokens: correct(loaded),
    listingTokens: listing.tokens,
    isPreloaded,
    narrowing,
  };
}

// If deferral depends on the window, Claude Code lists the tools' names even when it defers no tool.
function countResidentTokens(
  { shownTokens, listingTokens, isPreloaded }: CountedDefinition,
  isDeferred: boolean,
): number {
  return isDeferred && !isPreloaded ? listingTokens : shownTokens + listingTokens;
}

function makeToolDefinition(
  definition: CountedDefinition,
  total: number,
  isDeferred: boolean,
): ToolDefinition {
  const { listed, parts, narrowing } = definition;
  const tokens = sumModelTokens(parts);
  const contextTokens =
    isDeferred && !definition.isPreloaded ? definition.loadedTokens : definition.shownTokens;
  return {
    name: listed.name,
    tokens,
    ...parts,
    percent_total: computePercent(tokens, total),
    sha256: listed.sha256,
    ...(contextTokens === tokens ? {} : { context_tokens: contextTokens }),
    ...(isDeferred ? { resident_tokens: countResidentTokens(definition, isDeferred) } : {}),
    ...(narrowing ? { narrowing_parameters: narrowing } : {}),
  };
}

type ListedTexts = Pick<ListedDefinitions, "tools" | "skills"> & {
  readonly instructions?: string | undefined;
};

export function estimateDefinitions(
  { tools, skills, instructions }: ListedTexts,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  const list = { tools, skills, total: tools.length, isComplete: true };
  const deps = { hash, definitionCache: createDefinitionCache() };
  const draft = draftDefinitions(list, instructions, reader, deps);
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  return draft.finish(false);
}
