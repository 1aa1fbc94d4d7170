import { canonicalJson } from "#wire/canonical.ts";
import { textAt, type JsonObject } from "#wire/json.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { validated } from "#text/validation.ts";
import { parametersOf, schemaTexts, type Parameter } from "./parameters.ts";
import type { Profile } from "./profile.ts";
import type { ProfiledTool, WorstCase } from "./profiled-tool.ts";
import type { Risk, RiskThresholds } from "#cost/risk.ts";
import { validate } from "../../dist/validators/lock.js";

/** A server's tool definitions and their cost at the time they were accepted. */
export type Lock = {
  readonly lock_version: "1.0";
  readonly server: { readonly name: string | null; readonly version: string | null };
  /** Estimator of all token counts in the lock. */
  readonly estimator: string;
  readonly risk_thresholds: RiskThresholds;
  readonly instructions: { readonly sha256: string | null; readonly tokens: number };
  readonly total_tokens: number;
  /** Sorted by name, then by hash. */
  readonly tools: readonly LockedTool[];
  /** Answers that `check --update` recorded, sorted by key. */
  readonly answers?: readonly LockedAnswer[];
};

/** One tool of a lock. */
export type LockedTool = {
  readonly name: string;
  /** Hash of the whole definition in canonical JSON. */
  readonly sha256: string;
  readonly description_sha256: string;
  /** Hash of all titles and descriptions inside the schemas. */
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

/** The cost of one planned call when its answer was recorded. */
export type LockedAnswer = {
  /** SHA-256 of tool and arguments. */
  readonly key: string;
  readonly tool: string;
  readonly tokens: number;
};

type Hash = (text: string) => string;

/** The lock of a profile; `tools` are the server's definitions, in the profile's order. */
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
    risk: tool.worst_case.tier,
  };
}

function isBounded({ basis }: WorstCase): boolean {
  return basis !== "unbounded";
}

function sortKey({ name, sha256 }: LockedTool): string {
  return `${name}\n${sha256}`;
}

/**
 * The lock as JSON, with sorted names and with numbers as in RFC 8785. It is indented, so that a change is
 * a few lines of a diff, and control characters are escaped, since a lock is read in reviews.
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
