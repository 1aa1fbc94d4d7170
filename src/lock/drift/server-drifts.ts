import { plural } from "#kit/text/numbers.ts";
import { canonicalJson, isEqual } from "#wire/json-equal.ts";
import { isObject, textAt, type JsonObject } from "#wire/json.ts";
import { createDrift, type Drift, type DriftKind } from "../drift.ts";
import { isSince, type Lock } from "../lock.ts";
import { valueText, valueTexts } from "./change.ts";
import { definitionChanges } from "./definition-changes.ts";

/** With the version of the lock that introduced them. */
const introductions = [
  { member: "name", since: "1.0", kind: "text_changed" },
  { member: "title", since: "2.1", kind: "text_changed" },
  { member: "description", since: "2.1", kind: "text_changed" },
  { member: "website_url", since: "2.2", kind: "text_changed" },
  { member: "icons", since: "2.2", kind: "metadata_changed" },
  { member: "version", since: "1.0", kind: "server_changed" },
] as const;

export function serverDrifts(locked: Lock, now: Lock): Drift[] {
  const drifts = introductions.flatMap(({ member, since, kind }): Drift[] => {
    const values = {
      before: locked.server[member] ?? undefined,
      after: now.server[member] ?? undefined,
    };
    if (!isSince(locked, since) || isEqual(values.before, values.after)) return [];
    const what = `server ${member.replace("_url", "")} changed`;
    return [createDrift(kind, null, { what, at: member, ...valueTexts(values) })];
  });
  if (locked.instructions.sha256 === now.instructions.sha256) return drifts;
  const texts = valueTexts({ before: instructionsText(locked), after: instructionsText(now) });
  const change = { what: "instructions changed", ...texts };
  return [createDrift("instructions_changed", null, change), ...drifts];
}

function instructionsText({ instructions: { sha256, tokens, text } }: Lock): string {
  if (sha256 === null) return "none";
  return text ?? plural(tokens, "token");
}

export type Offers = Pick<Lock, "prompts" | "resource_templates" | "skills">;

type OfferedPair = {
  readonly kind: "prompt" | "resource_template" | "skill";
  readonly title: string;
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
};

const lists = [
  { kind: "prompt", member: "prompts", key: "name" },
  { kind: "resource_template", member: "resource_templates", key: "uriTemplate" },
  { kind: "skill", member: "skills", key: "uri" },
] as const;

/** None from a lock before 2.1, which holds no offers; one before 2.3 holds no skills. */
export function offeredDrifts(locked: Lock, now: Lock): Drift[] {
  const { skills: _skills, ...others } = now;
  return isSince(locked, "2.1") ? offersDrifts(locked, isSince(locked, "2.3") ? now : others) : [];
}

/** Their order does not matter. */
export function offersDrifts(before: Offers, after: Offers): Drift[] {
  return differingOffers(before, after).flatMap(pairDrifts);
}

export function differingOffers(before: Offers, after: Offers): OfferedPair[] {
  return lists.flatMap(({ kind, member, key }) => {
    const [was, is] = [before, after].map((offers) =>
      Map.groupBy(offers[member] ?? [], (one) => textAt(one, key) ?? ""),
    );
    return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].flatMap((name) => {
      const [mine, theirs] = [was?.get(name) ?? [], is?.get(name) ?? []];
      if (isEqual(inOrder(mine), inOrder(theirs))) return [];
      const title = `${kind.replace("_", " ")} ${name === "" ? "without a name" : name}`;
      return [{ kind, title, before: mine, after: theirs }];
    });
  });
}

function inOrder(list: readonly JsonObject[]): string[] {
  return list.map(canonicalJson).toSorted();
}

function pairDrifts({ kind, title, before, after }: OfferedPair): Drift[] {
  const [was, is] = [only(before), only(after)];
  const drift = (drifted: DriftKind, what: string): Drift[] => [
    createDrift(drifted, null, { what, at: title, before: textIn(was), after: textIn(is) }),
  ];
  if (after.length > 1) return drift(`${kind}_listed_twice`, `${title} listed more than once`);
  if (!is) return drift(`${kind}_removed`, `${title} removed`);
  if (before.length > 1) return drift("text_changed", `${title} is no longer listed twice`);
  if (!was) return drift(`${kind}_added`, `new ${title}`);
  const [old, now] = kind === "skill" ? [readMembers(was), readMembers(is)] : [was, is];
  return definitionChanges(old, now).map(({ kind: changed, what, at, ...values }) =>
    createDrift(changed, null, {
      what: `${title}: ${what}`,
      at: `${title}: ${at ?? what}`,
      ...values,
    }),
  );
}

/** The frontmatter, and the files: their digests show that a text changed which a model reads once the skill is loaded. */
function readMembers({ frontmatter, resources, ...rest }: JsonObject): JsonObject {
  const members = isObject(frontmatter) ? frontmatter : { frontmatter };
  const others = Object.entries({ ...rest, files: resources }).map(
    ([name, value]) => [name in members ? `${name} of the entry` : name, value] as const,
  );
  return { ...Object.fromEntries(others), ...members };
}

export function only(list: readonly JsonObject[]): JsonObject | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function textIn(one: JsonObject | undefined): string | null {
  return valueText(one && (textAt(one, "description") ?? one));
}
