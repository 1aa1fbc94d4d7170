import { repeatedCallsMin, toolRowsMax } from "#limits.ts";
import { memberAt, type JsonObject } from "#wire/json.ts";
import { answerLimits, type LimitSettings } from "#cost/client-limits.ts";
import type { Shown } from "./draft.ts";
import type { Reader } from "#cost/reader.ts";
import type { AlertRecord, CallRecord, Common, RecordBody } from "#records/record.ts";
import type { RiskThresholds } from "#cost/risk.ts";
import { formatCount, plural } from "#text/numbers.ts";

type AlertBody = Omit<AlertRecord, keyof Common>;
type CallBody = Omit<CallRecord, keyof Common>;

/** Settings of alerts. */
export type AlertDeps = {
  readonly risk: RiskThresholds;
  /** The client's own setting of the most tokens of an answer, where its user made one. */
  readonly clientCutTokens?: number | undefined;
};

/** A tool's newest definition by its name. */
type Tools = { find(name: string): JsonObject | undefined };

/** The context of a finished call. */
export type AlertContext = {
  /** The size of the answer as its client shows it; undefined where there is none. */
  readonly shown: Shown | undefined;
  readonly reader: Reader;
  readonly tools: Tools;
};

/** Finds finished tool calls that a person should know of. */
export class Alerts {
  readonly #deps: AlertDeps;
  readonly #heavy = new Set<string>();
  #asked = "";
  #times = 0;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
  }

  /** The alerts that a finished record calls for. */
  for(body: RecordBody, answer: AlertContext): readonly AlertBody[] {
    if (body.type !== "call" || body.method !== "tools/call") return [];
    if (!answer.shown) return this.#repeatedCall(body);
    return [
      ...this.#heavyCall(body),
      ...this.#repeatedCall(body),
      ...interferences(body, answer, this.#deps),
    ];
  }

  /** Once per tool. */
  #heavyCall({ risk, tool, total_tokens: tokens }: CallBody): AlertBody[] {
    const isKnown = tool === null || this.#heavy.has(tool) || this.#heavy.size >= toolRowsMax;
    if (risk !== "critical" || isKnown) return [];
    this.#heavy.add(tool);
    const [, , high] = this.#deps.risk;
    const detail = `one call cost ${plural(tokens, "token")}`;
    return [alert({ alert: "heavy_call", tool, limit: high, value: tokens, detail })];
  }

  /** Once per run of the same call; another call between them ends the run. */
  #repeatedCall({ tool, arguments_sha256: args }: CallBody): AlertBody[] {
    const asked = args === null ? "" : `${tool}\n${args}`;
    this.#times = asked !== "" && asked === this.#asked ? this.#times + 1 : 1;
    this.#asked = asked;
    if (this.#times !== repeatedCallsMin) return [];
    const value = this.#times;
    const detail = `called ${value} times in a row with the same arguments`;
    return [alert({ alert: "repeated_call", tool, limit: repeatedCallsMin, value, detail })];
  }
}

/** The changes that the client makes to an answer of that size before its model reads it. */
function interferences(
  { tool, visible_tokens: tokens }: CallBody,
  { shown, reader: { profile }, tools }: AlertContext,
  { clientCutTokens: cutTokens }: AlertDeps,
): AlertBody[] {
  const { characters, hasImages } = shown ?? { characters: 0, hasImages: false };
  // Only a client that spills reads a tool's own setting: a list of tools may be long.
  const isSpilling = profile.limits.spill !== undefined && tool !== null;
  const definition = isSpilling ? tools.find(tool) : undefined;
  const spillCharacters = memberAt(definition, "_meta", "anthropic/maxResultSizeChars");
  const settings: LimitSettings = { cutTokens, spillCharacters };
  const limits = answerLimits(profile, hasImages, settings);
  const cuts = (value: number, unit: string, limit: number): AlertBody[] => {
    const detail = `the answer has ${plural(value, unit)}; the client cuts answers at ${formatCount(limit)}`;
    return value > limit ? [alert({ alert: "would_truncate", tool, limit, value, detail })] : [];
  };
  const spills = (value: number, limit: number): AlertBody[] => {
    const detail = `the answer has ${plural(value, "character")}; the client writes answers over ${formatCount(limit)} to a file`;
    return value > limit ? [alert({ alert: "would_spill", tool, limit, value, detail })] : [];
  };
  return [
    ...cuts(tokens, "token", limits.cutTokens),
    ...cuts(characters, "character", limits.cutCharacters),
    ...spills(characters, limits.spillCharacters),
  ];
}

function alert(told: Pick<AlertBody, "alert" | "tool" | "limit" | "value" | "detail">): AlertBody {
  return { type: "alert", budget: null, ...told };
}
