import { typicalHash, typicalId } from "#tokens/cost/client-profiles/common.ts";
import { canonicalizeJson, isObject } from "#wire/json.ts";

export type ComparedRequests = {
  readonly total: number;
  readonly same: number;
  readonly difference: readonly [one: string, other: string] | undefined;
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
  rawOne: readonly string[],
  rawOther: readonly string[],
): ComparedRequests {
  const [one, other] = [rawOne.map(withoutVarying), rawOther.map(withoutVarying)];
  const left = [...other];
  const missing = one.filter((request) => {
    const at = left.indexOf(request);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const same = one.length - missing.length;
  const total = Math.max(one.length, other.length);
  const isEqual = missing.length === 0 && left.length === 0;
  return {
    total,
    same,
    difference: isEqual ? undefined : firstDifference(missing[0] ?? "", left[0] ?? ""),
  };
}

function withoutVarying(text: string): string {
  return varying.reduce((done, [pattern, name]) => done.replaceAll(pattern, name), text);
}

function firstDifference(one: string, other: string): readonly [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 80);
  return [one.slice(from, at + 120), other.slice(from, at + 120)];
}

/** A request as text: members in one order, and so are lists of tools, where Codex puts equally good matches by chance. */
export function comparable(path: string, body: unknown): string {
  return `${path} ${canonicalizeJson(withSortedTools(body))}`;
}

function withSortedTools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedTools);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const inner = withSortedTools(member);
      if (key !== "tools" || !Array.isArray(inner)) return [key, inner];
      return [key, inner.map((one) => canonicalizeJson(one)).toSorted()];
    }),
  );
}

const savedName = /(?<=\bf_mcp_)[0-9a-f]{64}/g;

export type Folders = { readonly home: string; readonly work: string; readonly tmp: string };

const usualHome = "/home/user";
const usualWork = `${usualHome}/projects/example-organisation-application`;

const randomId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Folders of a session, random ids and hashes say nothing about a client. */
export function withUsualPaths(text: string, { home, work, tmp }: Folders): string {
  return text
    .replaceAll(work, usualWork)
    .replaceAll(dashed(work), dashed(usualWork))
    .replaceAll(home, usualHome)
    .replaceAll(dashed(home), dashed(usualHome))
    .replaceAll(tmp, "/tmp")
    .replaceAll(randomId, typicalId)
    .replaceAll(savedName, typicalHash + typicalHash);
}

function dashed(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-");
}
