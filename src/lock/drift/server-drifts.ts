import { pluralize } from "#kit/text/numbers.ts";
import { canonicalizeJson, isEqual, isObject, readString, type JsonObject } from "#wire/json.ts";
import {
  createDrift,
  type Drift,
  type DriftKind,
  formatValue,
  formatValues,
} from "./severity-rules.ts";
import type { Lock } from "../lock.ts";
import { compareDefinitions } from "./definition-changes.ts";
import { pickCommonNames } from "#records/definition-summary.ts";
import { computeTokensWithoutDrift } from "../lock-limits.ts";

const serverMembers = [
  ["name", "text_changed"],
  ["title", "text_changed"],
  ["description", "text_changed"],
  ["website_url", "text_changed"],
  ["icons", "metadata_changed"],
  ["version", "server_changed"],
] as const;

export function findServerDrifts(locked: Lock, current: Lock): Drift[] {
  const drifts = serverMembers.flatMap(([member, kind]): Drift[] => {
    const values = {
      before: locked.server[member] ?? undefined,
      after: current.server[member] ?? undefined,
    };
    if (isEqual(values.before, values.after)) return [];
    const what = `server ${member.replace("_url", "")} changed`;
    return [createDrift(kind, null, { what, at: member, ...formatValues(values) })];
  });
  if (locked.instructions.sha256 === current.instructions.sha256) return drifts;
  const [before, after] = [describeInstructions(locked), describeInstructions(current)];
  const change = { what: "instructions changed", ...formatValues({ before, after }) };
  return [createDrift("instructions_changed", null, change), ...drifts];
}

function describeInstructions({ instructions: { sha256, tokens, text } }: Lock): string {
  if (sha256 === null) return "none";
  return text ?? pluralize(tokens, "token");
}

// The order of tools matters, because providers reuse a cached prompt only up to the first change.
export function findOrderDrifts(locked: Lock, current: Lock): Drift[] {
  const values = pickCommonNames(
    locked.tools.map(({ name }) => name),
    current.tools.map(({ name }) => name),
  );
  if (isEqual(values.before, values.after)) return [];
  const change = { what: "order of tools changed", ...formatValues(values) };
  return [createDrift("tools_reordered", null, change)];
}

export function findGrowthDrifts(
  { total_tokens: before }: Lock,
  { total_tokens: after }: Lock,
): Drift[] {
  if (after <= computeTokensWithoutDrift(before)) return [];
  const change = {
    what: `definitions grew by ${pluralize(after - before, "token")}`,
    before: pluralize(before, "token"),
    after: pluralize(after, "token"),
  };
  return [createDrift("definitions_grew", null, change)];
}

// The lists that a lock pins besides the tools.
export type Offers = Pick<Lock, "prompts" | "resource_templates" | "skills">;

type OfferPair = {
  readonly kind: "prompt" | "resource_template" | "skill";
  readonly title: string;
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
};

const offerLists = [
  { kind: "prompt", member: "prompts", key: "name", keyTitle: "name" },
  {
    kind: "resource_template",
    member: "resource_templates",
    key: "uriTemplate",
    keyTitle: "URI template",
  },
  { kind: "skill", member: "skills", key: "uri", keyTitle: "URI" },
] as const;

export function findOfferDrifts(before: Offers, after: Offers): Drift[] {
  return findDifferingOffers(before, after).flatMap(compareOffers);
}

export function findDifferingOffers(before: Offers, after: Offers): OfferPair[] {
  return offerLists.flatMap(({ kind, member, key, keyTitle }) => {
    const group = (offers: Offers): Map<string, JsonObject[]> =>
      Map.groupBy(offers[member] ?? [], (offer) => readString(offer, key) ?? "");
    const [oldByName, newByName] = [group(before), group(after)];
    return [...new Set([...oldByName.keys(), ...newByName.keys()])].flatMap((name) => {
      const [oldOffers = [], newOffers = []] = [oldByName.get(name), newByName.get(name)];
      if (isEqual(canonicalizeAll(oldOffers), canonicalizeAll(newOffers))) return [];
      const title = `${kind.replace("_", " ")} ${name === "" ? `without a ${keyTitle}` : name}`;
      return [{ kind, title, before: oldOffers, after: newOffers }];
    });
  });
}

function canonicalizeAll(list: readonly JsonObject[]): string[] {
  return list.map(canonicalizeJson).toSorted();
}

function compareOffers({ kind, title, before, after }: OfferPair): Drift[] {
  const [oldOffer, newOffer] = [pickSingle(before), pickSingle(after)];
  const makeDrifts = (driftKind: DriftKind, what: string): Drift[] => [
    createDrift(driftKind, null, {
      what,
      at: title,
      before: describeOffer(oldOffer),
      after: describeOffer(newOffer),
    }),
  ];
  if (after.length > 1) return makeDrifts(`${kind}_listed_twice`, `${title} listed more than once`);
  if (!newOffer) return makeDrifts(`${kind}_removed`, `${title} removed`);
  if (before.length > 1) return makeDrifts("text_changed", `${title} is now listed only once`);
  if (!oldOffer) return makeDrifts(`${kind}_added`, `new ${title}`);
  const [oldDefinition, newDefinition] =
    kind === "skill" ? [flattenSkill(oldOffer), flattenSkill(newOffer)] : [oldOffer, newOffer];
  return compareDefinitions(oldDefinition, newDefinition).map(
    ({ kind: changed, what, at, ...values }) =>
      createDrift(changed, null, {
        what: `${title}: ${what}`,
        at: `${title}: ${at ?? what}`,
        ...values,
      }),
  );
}

// Reports show `resources`, the list of the skill's files, as `files`.
function flattenSkill({ frontmatter, resources, ...otherMembers }: JsonObject): JsonObject {
  const members = isObject(frontmatter) ? frontmatter : { frontmatter };
  const others = Object.entries({ ...otherMembers, files: resources }).map(
    ([name, value]) => [name in members ? `entry ${name}` : name, value] as const,
  );
  return { ...Object.fromEntries(others), ...members };
}

export function pickSingle(list: readonly JsonObject[]): JsonObject | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function describeOffer(offer: JsonObject | undefined): string | null {
  return formatValue(offer && (readString(offer, "description") ?? offer));
}
