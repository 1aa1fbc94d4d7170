import { repeatedCallsMin, toolRowsMax } from "#limits.ts";
import { memberAt, type JsonObject } from "#wire/json.ts";
import { answerLimits, type LimitSettings } from "#cost/client-limits.ts";
import type { Shown } from "./draft.ts";
import type { Reader } from "#cost/reader.ts";
import type { AlertKind, AlertRecord, CallRecord, Common, RecordBody } from "#records/record.ts";
import type { RiskThresholds } from "#cost/risk.ts";

type AlertBody = Omit<AlertRecord, keyof Common>;
type CallBody = Omit<CallRecord, keyof Common>;

/** Settings of alerts. */
export type AlertDeps = {
  readonly risk: RiskThresholds;
  /** The client's own setting of the most tokens of an answer, where its user made one. */
  readonly clientCutTokens?: number | undefined;
};

/** A tool's newest definition by its name. */
export type Tools = { find(name: string): JsonObject | undefined };

/** What alerts depend on besides the record. */
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
    return [
      ...this.#heavyCall(body),
      ...this.#repeatedCall(body),
      ...interferences(body, answer, this.#deps),
    ];
  }

  /** Once a tool. */
  #heavyCall({ risk, tool, total_tokens: tokens }: CallBody): AlertBody[] {
    const isKnown = tool === null || this.#heavy.has(tool) || this.#heavy.size >= toolRowsMax;
    if (risk !== "critical" || isKnown) return [];
    this.#heavy.add(tool);
    const [, , high] = this.#deps.risk;
    return [alert("heavy_call", tool, high, tokens, `one call took ${tokens} tokens`)];
  }

  /** Once a run of the same call; another call between them ends the run. */
  #repeatedCall({ tool, arguments_sha256: args }: CallBody): AlertBody[] {
    const asked = args === null ? "" : `${tool}\n${args}`;
    this.#times = asked !== "" && asked === this.#asked ? this.#times + 1 : 1;
    this.#asked = asked;
    if (this.#times !== repeatedCallsMin) return [];
    const detail = `asked ${this.#times} times in a row with the same arguments`;
    return [alert("repeated_call", tool, repeatedCallsMin, this.#times, detail)];
  }
}

const nothingShown: Shown = { characters: 0, hasImages: false };

/** What the client does to an answer of that size before its model reads it. */
function interferences(
  { tool, visible_tokens: tokens }: CallBody,
  { shown = nothingShown, reader: { profile }, tools }: AlertContext,
  { clientCutTokens: cutTokens }: AlertDeps,
): AlertBody[] {
  const { characters, hasImages } = shown;
  // Only who spills asks what a tool asks for: a list of tools may be long.
  const asks = profile.limits.spill !== undefined && tool !== null;
  const definition = asks ? tools.find(tool) : undefined;
  const spillCharacters = memberAt(definition, "_meta", "anthropic/maxResultSizeChars");
  const settings: LimitSettings = { cutTokens, spillCharacters };
  const limits = answerLimits(profile, hasImages, settings);
  const told = (kind: AlertKind, does: string, unit: string, value: number, limit: number) =>
    value > limit
      ? [alert(kind, tool, limit, value, `an answer of ${value} ${unit}, ${does} ${limit}`)]
      : [];
  const cuts = "the client cuts off beyond";
  return [
    ...told("would_truncate", cuts, "tokens", tokens, limits.cutTokens),
    ...told("would_truncate", cuts, "characters", characters, limits.cutCharacters),
    ...told(
      "would_spill",
      "the client writes to a file what is over",
      "characters",
      characters,
      limits.spillCharacters,
    ),
  ];
}

function alert(
  kind: AlertKind,
  tool: string | null,
  limit: number,
  value: number,
  detail: string,
): AlertBody {
  return { type: "alert", alert: kind, tool, budget: null, limit, value, detail };
}
