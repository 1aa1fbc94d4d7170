import { canonicalJson } from "#wire/canonical.ts";
import { isEqual } from "#wire/json-equal.ts";
import { textAt, type JsonObject } from "#wire/json.ts";
import { createDrift, type Drift } from "../drift.ts";
import { valueText } from "./values.ts";
import { offeredChanges } from "./offered-changes.ts";
import { isSince, type Lock } from "../lock.ts";
import type { DriftKind } from "../severity.ts";

export type Offers = Pick<Lock, "prompts" | "resource_templates">;

type OfferedList = {
  readonly noun: "prompt" | "resource template";
  readonly key: "name" | "uriTemplate";
  readonly listIn: (offers: Offers) => readonly JsonObject[];
  readonly removed: DriftKind;
  readonly added: DriftKind;
  readonly listedTwice: DriftKind;
};

const offeredLists: readonly OfferedList[] = [
  {
    noun: "prompt",
    key: "name",
    listIn: ({ prompts = [] }) => prompts,
    removed: "prompt_removed",
    added: "prompt_added",
    listedTwice: "prompt_listed_twice",
  },
  {
    noun: "resource template",
    key: "uriTemplate",
    listIn: ({ resource_templates: templates = [] }) => templates,
    removed: "resource_template_removed",
    added: "resource_template_added",
    listedTwice: "resource_template_listed_twice",
  },
];

export type OfferedPair = {
  readonly title: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
};

/** None from a lock before 2.1, which holds no offers. */
export function offeredDrifts(locked: Lock, now: Lock): Drift[] {
  return holdsOffers(locked) ? offersDrifts(locked, now) : [];
}

/** Their order does not matter. */
export function offersDrifts(before: Offers, after: Offers): Drift[] {
  return offeredLists.flatMap((list) => listDrifts(list, before, after));
}

export function changedOffers(locked: Lock, now: Lock): OfferedPair[] {
  if (!holdsOffers(locked)) return [];
  return offeredLists.flatMap((list) => {
    const listed = byName(list, now);
    return [...byName(list, locked)].flatMap(([name, were]): OfferedPair[] => {
      const [before, after] = [only(were), only(listed.get(name))];
      if (!before || !after || isEqual(before, after)) return [];
      return [{ title: titleOf(list, name), before, after }];
    });
  });
}

function holdsOffers(lock: Lock): boolean {
  return isSince(lock, "2.1");
}

function listDrifts(list: OfferedList, locked: Offers, now: Offers): Drift[] {
  const [was, is] = [byName(list, locked), byName(list, now)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before = [], after = []] = [was.get(name), is.get(name)];
    return areSame(before, after) ? [] : namedDrifts(list, name, { before, after });
  });
}

/** In any order. */
function areSame(before: readonly JsonObject[], after: readonly JsonObject[]): boolean {
  if (before.length < 2) return isEqual(before, after);
  const [was, is] = [before, after].map((list) => list.map(canonicalJson).toSorted());
  return isEqual(was, is);
}

type Named = { readonly before: readonly JsonObject[]; readonly after: readonly JsonObject[] };

function namedDrifts(list: OfferedList, name: string, { before, after }: Named): Drift[] {
  const title = titleOf(list, name);
  const [was, is] = [only(before), only(after)];
  const drift = (kind: DriftKind, what: string): Drift[] => [
    createDrift(kind, null, { what, before: textIn(was), after: textIn(is) }),
  ];
  if (after.length > 1) return drift(list.listedTwice, `${title} listed more than once`);
  if (!is) return drift(list.removed, `${title} removed`);
  if (before.length > 1) return drift("text_changed", `${title} is no longer listed twice`);
  if (!was) return drift(list.added, `new ${title}`);
  return offeredChanges(was, is).map(({ kind, what, ...values }) =>
    createDrift(kind, null, { what: `${title}: ${what}`, ...values }),
  );
}

function only(list: readonly JsonObject[] = []): JsonObject | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function byName({ key, listIn }: OfferedList, offers: Offers): Map<string, JsonObject[]> {
  return Map.groupBy(listIn(offers), (one) => textAt(one, key) ?? "");
}

function textIn(one: JsonObject | undefined): string | null {
  return valueText(one && (textAt(one, "description") ?? one));
}

function titleOf({ noun }: OfferedList, name: string): string {
  return name === "" ? `${noun} without a name` : `${noun} ${name}`;
}
