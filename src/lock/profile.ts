import { type Estimation } from "#tokens/cost/estimator.ts";
import { type Reader, describeReaderEstimation } from "#tokens/cost/reader.ts";
import {
  type DefinitionsCost,
  type SkillSums,
  sumSkills,
  type ToolDefinition,
  computePercent,
  type CountSource,
} from "#tokens/cost/definitions-cost.ts";
import { classifyRisk, risks, type Risk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { type JsonObject, readMember, readString } from "#wire/json.ts";
import { findLimitParameters } from "./limit-parameters.ts";
import {
  type ProfiledTool,
  recommend,
  type Recommendation,
  type RecordedSizes,
  type ToolReview,
} from "./recommendations.ts";
import { hasOpenList, computeWorstCase } from "./answer-worst-case.ts";
import { countFields } from "#wire/schema-walk.ts";
import type { MeterRecord } from "#records/record.ts";

export type Profile = {
  readonly schema_version: "1.0";
  readonly server: {
    readonly name: string | null;
    readonly version: string | null;
    readonly protocol_version: string | null;
    readonly era: "legacy" | "modern" | null;
  };
  readonly estimator: ProfileEstimator;
  /** Tokens. */
  readonly window: number;
  readonly risk_thresholds: RiskThresholds;
  readonly definitions: {
    readonly tools: number;
    readonly total_tokens: number;
    // In the context before a tool is used: the instructions, the list of skills, and each tool's definition. If
    // the client defers a definition, only the tool's name counts.
    readonly resident_tokens: number;
    readonly wire_only_tokens: number;
    readonly percent_window: number;
    readonly not_tools?: number; // entries of the tool list that are not valid tools
    readonly counted_by?: CountSource;
  };
  readonly instructions: { readonly tokens: number; readonly sha256: string | null };
  readonly prompts: OfferedList;
  readonly resources: OfferedList;
  readonly resource_templates: OfferedList;
  // Already part of the definitions' tokens.
  readonly skills?: SkillSums;
  readonly tools: readonly ProfiledTool[];
  readonly verdict: {
    readonly risk: Risk | null;
    readonly unbounded: readonly string[];
    readonly critical: readonly string[];
    readonly recorded?: Omit<RecordedSizes, "average_tokens"> & {
      readonly risk: Risk;
      readonly tools: number;
    };
  };
  readonly recommendations: readonly Recommendation[];
};

export type ProfileEstimator = Estimation & { readonly is_estimated: boolean };

type OfferedList = { readonly listed: number; readonly tokens: number };

export type Introduction = {
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly JsonObject[];
};

export type ServerListing = {
  readonly server: Profile["server"];
  readonly introduction?: Introduction;
  readonly instructions: string | undefined;
  readonly tools: readonly JsonObject[];
  readonly invalidEntryCount?: number;
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly skills?: readonly JsonObject[];
};

export type ProfileContext = {
  readonly reader: Reader;
  readonly thresholds: RiskThresholds;
  readonly hash: (text: string) => string;
  readonly recorded?: RecordedAnswers;
};

// Adds up answers from sessions of this server, and from any session that lists one of `tools`.
export class RecordedAnswers {
  readonly #server: string | null;
  readonly #hashes: ReadonlySet<string>;
  readonly #sessions = new Set<string>();
  readonly #sums = new Map<string, { calls: number; tokens: number; max: number }>();

  constructor(server: string | null, tools: readonly Pick<ToolDefinition, "sha256">[]) {
    this.#server = server;
    this.#hashes = new Set(tools.map(({ sha256 }) => sha256));
  }

  add(record: MeterRecord): void {
    if (record.type === "definitions" && record.tools.some((tool) => this.#hashes.has(tool.sha256)))
      this.#sessions.add(record.session_id);
    if (record.type !== "call" || record.method !== "tools/call" || record.outcome !== "ok") return;
    if (record.tool === null) return;
    if (record.server !== this.#server && !this.#sessions.has(record.session_id)) return;
    const { calls, tokens, max } = this.#sums.get(record.tool) ?? { calls: 0, tokens: 0, max: 0 };
    const { output_tokens: size } = record;
    const sum = { calls: calls + 1, tokens: tokens + size, max: Math.max(max, size) };
    this.#sums.set(record.tool, sum);
  }

  find(tool: string): RecordedSizes | undefined {
    const sum = this.#sums.get(tool);
    if (!sum) return undefined;
    const { calls, tokens, max } = sum;
    return { calls, average_tokens: Math.round(tokens / calls), max_tokens: max };
  }
}

/** `definitions` must be in the order of the listing. */
export function profileServer(
  listing: ServerListing,
  definitions: DefinitionsCost,
  context: ProfileContext,
): Profile {
  const { reader, thresholds, hash } = context;
  const { windowTokens } = reader;
  const reviews = definitions.tools.map((definition, at) =>
    profileTool(definition, listing.tools[at] ?? {}, { ...context, windowTokens }),
  );
  const tools = reviews.map(({ tool }) => tool);
  const { instructions, invalidEntryCount = 0 } = listing;
  return {
    schema_version: "1.0",
    server: listing.server,
    estimator: makeProfileEstimator(reader),
    window: windowTokens,
    risk_thresholds: thresholds,
    definitions: {
      tools: definitions.tools_total,
      total_tokens: definitions.total_tokens,
      resident_tokens: definitions.resident_tokens,
      wire_only_tokens: definitions.wire_only_tokens,
      percent_window: computePercent(definitions.total_tokens, windowTokens),
      ...(invalidEntryCount > 0 ? { not_tools: invalidEntryCount } : {}),
      ...(definitions.counted_by && { counted_by: definitions.counted_by }),
    },
    instructions: {
      tokens: definitions.instructions_tokens,
      sha256: instructions === undefined ? null : hash(instructions),
    },
    prompts: countList(listing.prompts, reader),
    resources: countList(listing.resources, reader),
    resource_templates: countList(listing.resourceTemplates, reader),
    ...sumSkills(definitions.skills),
    tools,
    verdict: { ...makeVerdict(tools), ...makeRecordedVerdict(tools, thresholds) },
    recommendations: recommend(reviews),
  };
}

export function makeProfileEstimator(reader: Reader): ProfileEstimator {
  const { id, method, encoding } = reader.estimator;
  const { confidence, error } = describeReaderEstimation(reader);
  return { id, method, encoding, confidence, error, is_estimated: confidence !== "high" };
}

function makeVerdict(tools: readonly ProfiledTool[]): Profile["verdict"] {
  const filterNames = (matches: (tool: ProfiledTool) => boolean): string[] =>
    tools.filter(matches).map(({ name }) => name);
  return {
    risk: risks.findLast((level) => tools.some(({ risk }) => risk === level)) ?? null,
    unbounded: filterNames(({ worst_case: { basis } }) => basis === "unbounded"),
    critical: filterNames(({ risk }) => risk === "critical"),
  };
}

function makeRecordedVerdict(
  tools: readonly ProfiledTool[],
  thresholds: RiskThresholds,
): Pick<Profile["verdict"], "recorded"> {
  const sizes = tools.flatMap(({ recorded }) => recorded ?? []);
  if (sizes.length === 0) return {};
  const calls = sizes.reduce((sum, size) => sum + size.calls, 0);
  const largest = Math.max(...sizes.map((size) => size.max_tokens));
  const risk = classifyRisk(largest, thresholds);
  return { recorded: { risk, tools: sizes.length, calls, max_tokens: largest } };
}

function countList(list: readonly JsonObject[], { estimator }: Reader): OfferedList {
  return {
    listed: list.length,
    tokens: list.reduce((sum, item) => sum + estimator.count(JSON.stringify(item)), 0),
  };
}

export function profileTool(
  definition: ToolDefinition,
  raw: JsonObject,
  context: Pick<ProfileContext, "thresholds" | "recorded"> & { readonly windowTokens: number },
): ToolReview {
  const { windowTokens, thresholds } = context;
  const recorded = context.recorded?.find(definition.name);
  const { narrowing_parameters: _parameters, ...measured } = definition;
  const worstCase = computeWorstCase(raw, thresholds);
  return {
    tool: {
      ...measured,
      percent_window: computePercent(measured.tokens, windowTokens),
      input_fields: countFields(readMember(raw, "inputSchema")),
      output_fields: countFields(readMember(raw, "outputSchema")),
      worst_case: worstCase,
      ...(recorded && { recorded }),
      risk: worstCase.is_assumed ? null : worstCase.tier,
    },
    description: readString(raw, "description") ?? "",
    limitParameters: findLimitParameters(raw),
    hasOpenList: hasOpenList(readMember(raw, "outputSchema")),
  };
}

export type ProfileComparison = {
  readonly file: string;
  readonly total_tokens: TokenChange;
  readonly instructions_tokens: TokenChange;
  readonly tools_total: { readonly before: number; readonly after: number };
  readonly tools: readonly ToolChange[];
};

export type TokenChange = {
  readonly before: number;
  readonly after: number;
  readonly delta: number;
};

export type ToolChange = {
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  readonly delta: number;
  readonly answer: { readonly before: number | null; readonly after: number | null };
};

export type StoredProfile = Pick<Profile, "definitions" | "instructions"> & {
  readonly estimator: Pick<Profile["estimator"], "id">;
  readonly tools: readonly Pick<ProfiledTool, "name" | "tokens" | "worst_case">[];
};

export type ComparedProfile = {
  readonly definitions: Pick<Profile["definitions"], "total_tokens">;
  readonly instructions: Pick<Profile["instructions"], "tokens">;
  readonly tools: readonly ComparedTool[];
};

// Tools that share a name are paired in order: the first of `before` with the first of `after`, and so on.
export function compareProfiles(
  file: string,
  before: ComparedProfile,
  after: ComparedProfile,
): ProfileComparison {
  const [earlier, later] = [indexTools(before.tools), indexTools(after.tools)];
  const keys = new Set([...earlier.keys(), ...later.keys()]);
  const tools = [...keys].map((key) => compareTool(earlier.get(key), later.get(key)));
  const changed = tools.filter(
    ({ before: oldTokens, after: newTokens, answer }) =>
      oldTokens !== newTokens || answer.before !== answer.after,
  );
  return {
    file,
    total_tokens: compareTokens(before.definitions.total_tokens, after.definitions.total_tokens),
    instructions_tokens: compareTokens(before.instructions.tokens, after.instructions.tokens),
    tools_total: { before: before.tools.length, after: after.tools.length },
    tools: changed.toSorted((a, b) => Math.abs(b.delta) - Math.abs(a.delta)),
  };
}

type ComparedTool = Pick<ProfiledTool, "name" | "tokens"> &
  Partial<Pick<ProfiledTool, "worst_case">>;

function indexTools(tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> {
  const counts = new Map<string, number>();
  return new Map(
    tools.map((tool) => {
      const count = counts.get(tool.name) ?? 0;
      counts.set(tool.name, count + 1);
      return [`${count} ${tool.name}`, tool];
    }),
  );
}

function compareTool(
  before: ComparedTool | undefined,
  after: ComparedTool | undefined,
): ToolChange {
  return {
    name: (after ?? before)?.name ?? "",
    before: before?.tokens ?? null,
    after: after?.tokens ?? null,
    delta: (after?.tokens ?? 0) - (before?.tokens ?? 0),
    answer: { before: readDeclaredTokens(before), after: readDeclaredTokens(after) },
  };
}

function readDeclaredTokens(tool: ComparedTool | undefined): number | null {
  return tool?.worst_case?.is_assumed === false ? tool.worst_case.tokens : null;
}

function compareTokens(before: number, after: number): TokenChange {
  return { before, after, delta: after - before };
}
