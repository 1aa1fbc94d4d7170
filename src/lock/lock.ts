import { tryParseJson } from "#kit/errors.ts";
import { canonicalizeJson, type JsonObject } from "#wire/json.ts";
import { readDefinitionName } from "#tokens/cost/count-definition.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { validateValue } from "#kit/text/schema-mismatch.ts";
import { type Profile, type ServerListing, profileServer, type ProfileContext } from "./profile.ts";
import type { Risk, RiskThresholds } from "#tokens/cost/risk.ts";
import { validate } from "../../dist/validators/lock.js";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";

export type Lock = {
  readonly lock_version: "2.3";
  readonly server: {
    readonly name: string | null;
    readonly version: string | null;
    readonly title?: string;
    readonly description?: string;
    readonly website_url: string | null;
    readonly icons: readonly JsonObject[];
  };
  readonly estimator: string;
  readonly risk_thresholds: RiskThresholds;
  readonly instructions: {
    readonly sha256: string | null;
    readonly tokens: number;
    readonly text?: string;
  };
  readonly total_tokens: number;
  // In the server's order.
  readonly tools: readonly LockedTool[];
  // Sorted; each item is as the server listed it.
  readonly prompts: readonly JsonObject[];
  readonly resource_templates: readonly JsonObject[];
  readonly skills?: readonly JsonObject[];
  readonly answers?: readonly LockedAnswer[];
};

export type LockedTool = {
  readonly name: string;
  // Hash of the definition's canonical JSON.
  readonly sha256: string;
  readonly definition: JsonObject;
  readonly tokens: {
    readonly total: number;
    readonly name: number;
    readonly description: number;
    readonly schema: number;
    readonly wire_only: number;
  };
  readonly fields: { readonly input: number; readonly output: number };
  readonly is_bounded: boolean;
  readonly worst_case_tokens: number;
  readonly risk: Risk;
};

export type LockedAnswer = {
  // SHA-256 of tool and arguments.
  readonly key: string;
  readonly tool: string;
  readonly tokens: number;
};

type LockedListing = Omit<ServerListing, "server" | "resources">;

/** Tools of `listing` must be in the order of the profile. */
export function makeLock(profile: Profile, listing: LockedListing): Lock {
  const { introduction, instructions, tools, prompts, resourceTemplates, skills = [] } = listing;
  const { websiteUrl, icons, ...titleAndDescription } = introduction ?? {};
  return {
    lock_version: "2.3",
    server: {
      name: profile.server.name,
      version: profile.server.version,
      ...titleAndDescription,
      website_url: websiteUrl ?? null,
      icons: icons ?? [],
    },
    estimator: profile.estimator.id,
    risk_thresholds: profile.risk_thresholds,
    instructions: {
      ...profile.instructions,
      ...(instructions === undefined ? {} : { text: instructions }),
    },
    total_tokens: profile.definitions.total_tokens,
    tools: profile.tools.map((tool, at) => ({
      name: tool.name,
      sha256: tool.sha256,
      definition: tools[at] ?? {},
      tokens: {
        total: tool.tokens,
        name: tool.name_tokens,
        description: tool.description_tokens,
        schema: tool.schema_tokens,
        wire_only: tool.wire_only_tokens,
      },
      fields: { input: tool.input_fields, output: tool.output_fields },
      is_bounded: tool.worst_case.basis !== "unbounded",
      worst_case_tokens: tool.worst_case.tokens,
      risk: tool.worst_case.tier,
    })),
    prompts: sortJson(prompts),
    resource_templates: sortJson(resourceTemplates),
    ...(skills.length > 0 ? { skills: sortJson(skills) } : {}),
  };
}

function sortJson(list: readonly JsonObject[]): JsonObject[] {
  const keyed = list.map((item) => ({ item, key: canonicalizeJson(item) }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

export function formatLock(lock: Lock): string {
  const sorted: unknown = JSON.parse(canonicalizeJson(lock));
  const lines = JSON.stringify(sorted, undefined, 2).split("\n");
  return `${lines.map(escapeUnsafe).join("\n")}\n`;
}

// Lines as `formatLock` writes them. Names outside the list of tools are skipped: prompts' names have the same indent.
const listBegin = '  "tools": [';
const listEnd = /^ {2}\],?$/;

const entryBegin = /^ {4}\{$/;
const nameMember = /^ {6}"name": (".*"),?$/;

/** Maps each tool's name to the line, counted from 1, where its entry begins. Empty for a lock in another layout. */
export function findToolLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let entryLine = 0;
  let isInList = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (line === listBegin) isInList = true;
    else if (listEnd.test(line)) isInList = false;
    if (!isInList) continue;
    if (entryBegin.test(line)) entryLine = at + 1;
    const name = nameMember.exec(line)?.[1];
    if (name === undefined || entryLine === 0) continue;
    const parsed = tryParseJson(name);
    if (typeof parsed === "string" && !lines.has(parsed)) lines.set(parsed, entryLine);
  }
  return lines;
}

export function readLock(text: string): { readonly lock: Lock } | { readonly fault: string } {
  const value = tryParseJson(text);
  if (value === undefined) return { fault: "it is not valid JSON" };
  const validated = validateValue(value, validate);
  return "fault" in validated ? validated : { lock: validated.value };
}

// Hashes decide whether a tool changed, and reviewers read definitions: the two must agree.
export function findContradiction(lock: Lock, hash: (text: string) => string): string | undefined {
  const { sha256, text } = lock.instructions;
  if (sha256 !== (text === undefined ? null : hash(text))) {
    return "instructions.sha256 does not match instructions.text";
  }
  for (const [at, { name, sha256: toolHash, definition }] of lock.tools.entries()) {
    if (toolHash !== hash(canonicalizeJson(definition))) {
      return `tools[${at}].sha256 does not match tools[${at}].definition`;
    }
    if (name !== readDefinitionName(definition)) {
      return `tools[${at}].name is not the name in tools[${at}].definition`;
    }
  }
  return undefined;
}

export function keepAnswers(fresh: Lock, old: Lock | undefined): Lock {
  if (!old?.answers || old.estimator !== fresh.estimator) return fresh;
  return { ...fresh, answers: old.answers };
}

export function countDroppedAnswers(
  old: Pick<Lock, "answers"> | undefined,
  next: Pick<Lock, "answers">,
): number {
  const nextKeys = new Set(next.answers?.map(({ key }) => key));
  return old?.answers?.filter(({ key }) => !nextKeys.has(key)).length ?? 0;
}

export function lockServer(listing: ServerListing, context: ProfileContext): Lock {
  const definitions = estimateDefinitions(listing, context.reader, context.hash);
  return makeLock(profileServer(listing, definitions, context), listing);
}

/** Recounts everything except answers. */
export function deriveLock(lock: Lock, context: ProfileContext): Lock {
  const { server, answers, risk_thresholds: thresholds } = lock;
  const derived = lockServer(restoreListing(lock), { ...context, thresholds });
  return { ...derived, server, ...(answers ? { answers } : {}) };
}

function restoreListing({ server, instructions, tools, ...lists }: Lock): ServerListing {
  const { name, version } = server;
  return {
    server: { name, version, protocol_version: null, era: null },
    instructions: instructions.text,
    tools: tools.map(({ definition }) => definition),
    prompts: lists.prompts,
    resources: [],
    resourceTemplates: lists.resource_templates,
    skills: lists.skills ?? [],
  };
}
