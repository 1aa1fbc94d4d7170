import { secretCharactersMin } from "#kit/limits.ts";
import type { Drift } from "#lock/drift.ts";
import {
  type LockComparison,
  judgeLock,
  type LockReport,
  type LockTerms,
} from "#lock/lock-report.ts";
import type { Lock } from "#lock/lock.ts";
import { isObject } from "#wire/json.ts";

export type Redact = (text: string) => string;

// Plain, JSON-escaped and URL-encoded forms. Of several at one position, the longest wins.
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  const names = new Map<string, string>();
  for (const [name, value] of secrets) {
    for (const form of listForms(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return (text) => text;
  const longestFirst = [...names.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map((form) => RegExp.escape(form)).join("|"), "g");
  return (text) => text.replaceAll(pattern, (form) => `\${${names.get(form) ?? ""}}`);
}

function listForms(value: string): ReadonlySet<string> {
  // Servers strip the line end that a variable often has.
  const plain = [value, value.trim()].filter((form) => form !== "");
  const quoted = plain.flatMap((form) => [escapeJson(form), escapeAscii(escapeJson(form))]);
  // Answers are JSON, and their texts often contain JSON.
  const twice = quoted.map(escapeJson);
  const encoded = plain.flatMap((form) => encodeForUrl(form.toWellFormed()));
  return new Set([...plain, ...quoted, ...twice, ...encoded, ...encoded.map(lowercaseEscapes)]);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeAscii(text: string): string {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function encodeForUrl(text: string): string[] {
  const query = new URLSearchParams([["", text]]).toString();
  return [encodeURIComponent(text), encodeURI(text), query.slice("=".length)];
}

function lowercaseEscapes(encoded: string): string {
  return encoded.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
}

// Values under `secretCharactersMin` stay: definitions hold them by chance, locks show them.
export function createDefinitionRedact(secrets: ReadonlyMap<string, string>): Redact {
  const long = [...secrets].filter(([, value]) => value.length >= secretCharactersMin);
  return createRedact(new Map(long));
}

export function holdsSecret(lock: Lock, redact: Redact): boolean {
  const text = JSON.stringify(lock);
  return redact(text) !== text;
}

// Judges the originals. Diffs are of redacted texts: a shortened secret cannot be found.
export function judgeLockRedacted(
  { locked, now }: { readonly locked: Lock | undefined; readonly now: Lock },
  terms: LockTerms,
  redact: Redact,
): LockReport {
  const report = judgeLock(locked, now, terms);
  const locks = [locked, now, terms.base?.lock].filter((lock) => lock !== undefined);
  if (!locks.some((lock) => holdsSecret(lock, redact))) return report;
  const { base } = terms;
  const hidden = judgeLock(locked && hide(locked, redact), hide(now, redact), {
    ...terms,
    ...(base ? { base: { ...base, lock: base.lock && hide(base.lock, redact) } } : {}),
  });
  return {
    ...report,
    server: hidden.server,
    ...hideComparison(report, hidden, redact),
    over_limit: report.over_limit.map((excess) => ({
      ...excess,
      tool: excess.tool && redact(excess.tool),
    })),
    ...(report.base && hidden.base
      ? { base: { ...report.base, ...hideComparison(report.base, hidden.base, redact) } }
      : {}),
  };
}

function hideComparison(
  report: LockComparison,
  hidden: LockComparison,
  redact: Redact,
): Pick<LockComparison, "drifts" | "costs" | "diffs"> {
  return {
    drifts: report.drifts.map((drift) => hideDrift(drift, redact)),
    costs: report.costs.map((cost) => ({ ...cost, tool: cost.tool && redact(cost.tool) })),
    diffs: hidden.diffs,
  };
}

function hideDrift(drift: Drift, redact: Redact): Drift {
  const shown = (text: string | null): string | null => {
    if (text === null) return null;
    return text.includes("…") ? "…" : redact(text);
  };
  const { tool, what, before, after, example } = drift;
  return {
    ...drift,
    tool: tool && redact(tool),
    what: redact(what),
    before: shown(before),
    after: shown(after),
    ...(example === undefined ? {} : { example: redact(example) }),
  };
}

function hide(lock: Lock, redact: Redact): Lock {
  const { server, instructions, tools, prompts, resource_templates: templates, skills } = lock;
  return {
    ...lock,
    server: hideMembers(server, redact),
    instructions: {
      ...instructions,
      ...(instructions.text === undefined ? {} : { text: redact(instructions.text) }),
    },
    tools: tools.map((tool) => ({
      ...tool,
      name: redact(tool.name),
      ...(tool.definition ? { definition: hideMembers(tool.definition, redact) } : {}),
    })),
    ...(prompts ? { prompts: prompts.map((prompt) => hideMembers(prompt, redact)) } : {}),
    ...(templates
      ? { resource_templates: templates.map((template) => hideMembers(template, redact)) }
      : {}),
    ...(skills ? { skills: skills.map((skill) => hideMembers(skill, redact)) } : {}),
  };
}

function hideValue(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => hideValue(item, redact));
  return isObject(value) ? hideMembers(value, redact) : value;
}

function hideMembers<Value extends object>(value: Value, redact: Redact): Value {
  const members = Object.entries(value).map(([name, member]) => [
    redact(name),
    hideValue(member, redact),
  ]);
  const hidden: Value = Object.fromEntries(members);
  return hidden;
}
