import { typicalHash, typicalId } from "#tokens/cost/client-profiles/common.ts";
import { canonicalizeJson, isObject } from "#wire/json.ts";

export type ComparedRequests = {
  readonly total: number;
  readonly same: number;
  readonly difference: readonly [direct: string, metered: string] | undefined;
};

const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "UUID"],
  [/\b[0-9a-f]{32,}\b/g, "HASH"],
  [/(?<!\d)1[5-9]\d{11}(?!\d)(?:_\d+)?(?:[-_][0-9a-z]{4,6}\b)?/g, "TIME"],
  [/\b20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z?)?/g, "DATE"],
  [/\btool_[0-9A-Za-z]{26}\b/g, "ID"],
  [/\bwd_work_[0-9a-f]{12}\b/g, "FOLDER"],
  [/Wall time: [\d.]+ seconds/g, "Wall time"],
  [/127\.0\.0\.1:\d+/g, "PORT"],
];

export function compareRequests(
  rawDirect: readonly string[],
  rawMetered: readonly string[],
): ComparedRequests {
  const [direct, metered] = [rawDirect.map(maskVarying), rawMetered.map(maskVarying)];
  const unmatched = [...metered];
  const missing = direct.filter((request) => {
    const at = unmatched.indexOf(request);
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
  const same = direct.length - missing.length;
  const total = Math.max(direct.length, metered.length);
  const isEqual = missing.length === 0 && unmatched.length === 0;
  return {
    total,
    same,
    difference: isEqual ? undefined : findFirstDifference(missing[0] ?? "", unmatched[0] ?? ""),
  };
}

function maskVarying(text: string): string {
  return varying.reduce((done, [pattern, name]) => done.replaceAll(pattern, name), text);
}

function findFirstDifference(direct: string, metered: string): readonly [string, string] {
  let at = 0;
  while (at < direct.length && direct[at] === metered[at]) at += 1;
  const from = Math.max(0, at - 80);
  return [direct.slice(from, at + 120), metered.slice(from, at + 120)];
}

/** Formats a request with sorted members and sorted lists of tools: Codex lists equally good matches in random order. */
export function formatComparable(path: string, body: unknown): string {
  return `${path} ${canonicalizeJson(sortToolLists(body))}`;
}

function sortToolLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortToolLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const inner = sortToolLists(member);
      if (key !== "tools" || !Array.isArray(inner)) return [key, inner];
      return [key, inner.map((tool) => canonicalizeJson(tool)).toSorted()];
    }),
  );
}

const savedName = /(?<=\bf_mcp_)[0-9a-f]{64}/g;

export type Folders = { readonly home: string; readonly work: string; readonly tmp: string };

const usualHome = "/home/user";
const usualWork = `${usualHome}/projects/example-organisation-application`;

const randomId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces a session's folders, random ids and hashes, which say nothing about the client. */
export function normalizePaths(text: string, { home, work, tmp }: Folders): string {
  return text
    .replaceAll(work, usualWork)
    .replaceAll(dashPath(work), dashPath(usualWork))
    .replaceAll(home, usualHome)
    .replaceAll(dashPath(home), dashPath(usualHome))
    .replaceAll(tmp, "/tmp")
    .replaceAll(randomId, typicalId)
    .replaceAll(savedName, typicalHash + typicalHash);
}

function dashPath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-");
}
