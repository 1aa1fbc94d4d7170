import { canonicalJson } from "#wire/canonical.ts";
import { textAt, type JsonObject } from "#wire/json.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { validated } from "#text/validation.ts";
import { parametersOf, schemaTexts, type Parameter } from "./parameters.ts";
import type { Profile } from "./profile.ts";
import type { ProfiledTool, WorstCase } from "./profiled-tool.ts";
import type { Risk, RiskThresholds } from "#cost/risk.ts";
import { validate } from "../../dist/validators/lock.js";

/** A server's definitions and their cost as they were when somebody looked at them and agreed. */
export type Lock = {
  readonly lock_version: "1.0";
  readonly server: { readonly name: string | null; readonly version: string | null };
  /** Estimator of every number of tokens in here. */
  readonly estimator: string;
  readonly risk_thresholds: RiskThresholds;
  readonly instructions: { readonly sha256: string | null; readonly tokens: number };
  readonly total_tokens: number;
  /** Sorted by name, then by hash. */
  readonly tools: readonly LockedTool[];
  /** What calls of `check --calls` answered when they were recorded; sorted by key. */
  readonly answers?: readonly LockedAnswer[];
};

export type LockedTool = {
  readonly name: string;
  /** Of the canonical JSON of the whole definition. */
  readonly sha256: string;
  readonly description_sha256: string;
  /** Of all titles and descriptions inside the schemas. */
  readonly schema_texts_sha256: string;
  readonly annotations_sha256: string;
  readonly tokens: {
    readonly total: number;
    readonly name: number;
    readonly description: number;
    readonly schema: number;
    readonly wire_only: number;
  };
  readonly fields: { readonly input: number; readonly output: number };
  readonly parameters: readonly Parameter[];
  readonly is_bounded: boolean;
  readonly worst_case_tokens: number;
  readonly risk: Risk;
};

export type LockedAnswer = {
  /** Hash of tool and arguments. */
  readonly key: string;
  readonly tool: string;
  readonly tokens: number;
};

type Hash = (text: string) => string;

/** The lock of a profile; `tools` are the definitions as the server wrote them, in the profile's order. */
export function lockOf(profile: Profile, tools: readonly JsonObject[], hash: Hash): Lock {
  return {
    lock_version: "1.0",
    server: { name: profile.server.name, version: profile.server.version },
    estimator: profile.estimator.id,
    risk_thresholds: profile.risk_thresholds,
    instructions: profile.instructions,
    total_tokens: profile.definitions.total_tokens,
    tools: profile.tools
      .map((tool, at) => lockTool(tool, tools[at] ?? {}, hash))
      .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
  };
}

function lockTool(tool: ProfiledTool, raw: JsonObject, hash: Hash): LockedTool {
  return {
    name: tool.name,
    sha256: tool.sha256,
    description_sha256: hash(textAt(raw, "description") ?? ""),
    schema_texts_sha256: hash(schemaTexts(raw).join("\n")),
    annotations_sha256: hash(canonicalJson(raw["annotations"] ?? null)),
    tokens: {
      total: tool.tokens,
      name: tool.name_tokens,
      description: tool.description_tokens,
      schema: tool.schema_tokens,
      wire_only: tool.wire_only_tokens,
    },
    fields: { input: tool.input_fields, output: tool.output_fields },
    parameters: parametersOf(raw["inputSchema"]),
    is_bounded: isBounded(tool.worst_case),
    worst_case_tokens: tool.worst_case.tokens,
    risk: tool.risk,
  };
}

function isBounded({ basis }: WorstCase): boolean {
  return basis !== "unbounded";
}

function sortKey({ name, sha256 }: LockedTool): string {
  return `${name}\n${sha256}`;
}

/**
 * The lock as text: members sorted and numbers written as in RFC 8785, laid out over lines so that a
 * change is a few lines of a diff. What may move text on a screen is escaped: a lock is read in reviews.
 */
export function writeLock(lock: Lock): string {
  const sorted: unknown = JSON.parse(canonicalJson(lock));
  const lines = JSON.stringify(sorted, undefined, 2).split("\n");
  return `${lines.map(escapeUnsafe).join("\n")}\n`;
}

/** The lock that a text holds, or why it holds none. */
export function readLock(text: string): { readonly lock: Lock } | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "it is not valid JSON" };
  }
  const read = validated(value, validate);
  return "fault" in read ? read : { lock: read.value };
}
