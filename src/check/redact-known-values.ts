import { attempt } from "#kit/errors.ts";
import type { Redactor } from "#kit/text/unsafe-text.ts";
import type { Drift } from "#lock/drift/severity-rules.ts";
import {
  type LockComparison,
  judgeLock,
  type LockReport,
  type LockContext,
} from "#lock/lock-report.ts";
import type { Lock } from "#lock/lock.ts";
import { isObject } from "#wire/json.ts";
import { secretCharactersMin } from "#kit/text/mask-secrets.ts";

// Replaces secrets, including JSON-escaped or URL-encoded ones, with ${NAME}. At each position, the longest match wins.
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const forms = [...secrets].flatMap(listForms).toSorted((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return (text) => text;
  // The engine rejects very large patterns. Escaped secrets are then found only as `JSON.stringify` writes them.
  return attempt(() => replaceForms(forms)) ?? replaceForms(makeExactForms(forms));
}

function makeExactForms(forms: readonly Form[]): readonly Form[] {
  const byText = new Map(forms.map((form) => [form.text, form]));
  return [...byText.values()].map((form) => ({ ...form, pattern: RegExp.escape(form.text) }));
}

function replaceForms(longestFirst: readonly Form[]): Redactor {
  const pattern = new RegExp(longestFirst.map((form) => `(${form.pattern})`).join("|"), "g");
  return (text) =>
    text.replaceAll(pattern, (_, ...groups: readonly unknown[]) => {
      const form = longestFirst[groups.findIndex((group) => group !== undefined)];
      return `\${${form?.name ?? ""}}`;
    });
}

type Form = { readonly name: string; readonly pattern: string; readonly text: string };

function listForms([name, value]: readonly [name: string, value: string]): Form[] {
  // A variable often ends with a newline, which servers strip.
  const plainForms = [value, value.trim()].filter((form) => form !== "");
  return [...new Set(plainForms)].flatMap((plain) => {
    const escaped = escapeJson(plain);
    const nested = escapeJson(escaped);
    const encodedForms = encodeForUrl(plain.toWellFormed());
    const exactForms = [plain, ...encodedForms, ...encodedForms.map(lowercaseEscapes)];
    return [
      // Answers are JSON, and their texts often contain JSON, so a secret may be escaped twice.
      { name, pattern: matchEscaped(plain, 2), text: nested },
      { name, pattern: matchEscaped(plain, 1), text: escaped },
      ...exactForms.map((text) => ({ name, pattern: RegExp.escape(text), text })),
    ];
  });
}

// Letters and digits are matched as themselves, because no JSON writer escapes them.
function matchEscaped(text: string, levels: number): string {
  if (levels === 0) return RegExp.escape(text);
  return text.replaceAll(/[^\dA-Za-z]/g, (unit) => {
    const short = listShortEscapes(unit).map((escape) => matchEscaped(escape, levels - 1));
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    const digits = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${[...short, `${matchEscaped("\\", levels - 1)}u${digits}`].join("|")})`;
  });
}

function listShortEscapes(unit: string): string[] {
  if (unit === "/") return ["/", String.raw`\/`];
  const escape = unit.isWellFormed() ? escapeJson(unit) : unit;
  // The pattern has a `\u` alternative already. A second one for the same text would take exponential time.
  return escape.startsWith(String.raw`\u`) ? [] : [escape];
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function encodeForUrl(text: string): string[] {
  const query = new URLSearchParams([["", text]]).toString();
  return [encodeURIComponent(text), encodeURI(text), query.slice("=".length)];
}

function lowercaseEscapes(encoded: string): string {
  return encoded.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
}

// Skips short values, which definitions may contain by chance.
export function createDefinitionRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const longSecrets = [...secrets].filter(([, value]) => value.length >= secretCharactersMin);
  return createRedactor(new Map(longSecrets));
}

export function holdsSecret(lock: Lock, redact: Redactor): boolean {
  const text = JSON.stringify(lock);
  return redact(text) !== text;
}

// Drifts and costs come from the original locks, and are then redacted. Diffs come from redacted locks, because
// `redact` cannot find a secret that is split between parts of a diff.
export function judgeLockRedacted(
  { locked, current }: { readonly locked: Lock | undefined; readonly current: Lock },
  context: LockContext,
  redact: Redactor,
): LockReport {
  const report = judgeLock(locked, current, context);
  const locks = [locked, current, context.base?.lock].filter((lock) => lock !== undefined);
  if (!locks.some((lock) => holdsSecret(lock, redact))) return report;
  const { base } = context;
  const redactedReport = judgeLock(
    locked && redactLock(locked, redact),
    redactLock(current, redact),
    {
      ...context,
      ...(base ? { base: { ...base, lock: base.lock && redactLock(base.lock, redact) } } : {}),
    },
  );
  return {
    ...report,
    server: redactedReport.server,
    ...redactComparison(report, redactedReport, redact),
    over_limit: report.over_limit.map((excess) => ({
      ...excess,
      tool: excess.tool && redact(excess.tool),
    })),
    ...(report.base && redactedReport.base
      ? { base: { ...report.base, ...redactComparison(report.base, redactedReport.base, redact) } }
      : {}),
  };
}

function redactComparison(
  report: LockComparison,
  redacted: LockComparison,
  redact: Redactor,
): Pick<LockComparison, "drifts" | "costs" | "diffs"> {
  return {
    drifts: report.drifts.map((drift) => redactDrift(drift, redact)),
    costs: report.costs.map((cost) => ({ ...cost, tool: cost.tool && redact(cost.tool) })),
    diffs: redacted.diffs,
  };
}

function redactDrift(drift: Drift, redact: Redactor): Drift {
  // A shortened text is hidden entirely, because it may end within a secret.
  const redactExcerpt = (text: string | null): string | null => {
    if (text === null) return null;
    return text.includes("…") ? "…" : redact(text);
  };
  const { tool, what, before, after, example } = drift;
  return {
    ...drift,
    tool: tool && redact(tool),
    what: redact(what),
    before: redactExcerpt(before),
    after: redactExcerpt(after),
    ...(example === undefined ? {} : { example: redact(example) }),
  };
}

function redactLock(lock: Lock, redact: Redactor): Lock {
  const { server, instructions, tools, prompts, resource_templates: templates, skills } = lock;
  return {
    ...lock,
    server: redactMembers(server, redact),
    instructions: {
      ...instructions,
      ...(instructions.text === undefined ? {} : { text: redact(instructions.text) }),
    },
    tools: tools.map((tool) => ({
      ...tool,
      name: redact(tool.name),
      ...(tool.definition ? { definition: redactMembers(tool.definition, redact) } : {}),
    })),
    ...(prompts ? { prompts: prompts.map((prompt) => redactMembers(prompt, redact)) } : {}),
    ...(templates
      ? { resource_templates: templates.map((template) => redactMembers(template, redact)) }
      : {}),
    ...(skills ? { skills: skills.map((skill) => redactMembers(skill, redact)) } : {}),
  };
}

function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  return isObject(value) ? redactMembers(value, redact) : value;
}

function redactMembers<Value extends object>(value: Value, redact: Redactor): Value {
  const members = Object.entries(value).map(([name, member]) => [
    redact(name),
    redactValue(member, redact),
  ]);
  const redacted: Value = Object.fromEntries(members);
  return redacted;
}
