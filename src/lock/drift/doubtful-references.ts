import { branchesPairedMax } from "#limits/definitions.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";
import { isAlone } from "./disjoint-schemas.ts";

/** Keywords under which a schema that allows more may allow less as a whole. */
const reversing: ReadonlySet<string> = new Set(["not", "if", "contains"]);

const references: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

/** The targets of such references in two schemas. */
export class DoubtfulTargets {
  readonly #references: ReadonlySet<string>;

  constructor(before: unknown, after: unknown) {
    this.#references = doubtfulReferences(before).union(doubtfulReferences(after));
  }

  /** True when one of them leads elsewhere than to a definition by its name. */
  get hasUnnamed(): boolean {
    return [...this.#references].some((one) => !/^#\/(?:\$defs|definitions)\/[^/]+$/.test(one));
  }

  /** True for a definition, also for one of another schema that has its name. */
  has(keyword: string, name: string): boolean {
    const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return this.#references.has(`#/${keyword}/${escaped}`);
  }
}

/**
 * The references of a schema by which a wider target may make it narrower: those inside `not` or a `oneOf` whose branches
 * may overlap, next to `unevaluatedProperties`, and those that they lead to.
 */
function doubtfulReferences(root: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  for (const context of doubtfulParts(root)) collect(context, root, found);
  return found;
}

/** True for a schema in which other parts say which members or items are left to judge. */
export function judgesRest(schema: JsonObject): boolean {
  return "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
}

function doubtfulParts(root: unknown): unknown[] {
  const found: unknown[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) for (const item of one) open.push(item);
    if (!isObject(one)) continue;
    if (judgesRest(one)) found.push(one);
    for (const [key, member] of Object.entries(one)) {
      if (reversing.has(key) || (key === "oneOf" && mayOverlap(member, root))) found.push(member);
      open.push(member);
    }
  }
  return found;
}

/** True unless each of the branches is proven to share no value with the others. */
function mayOverlap(branches: unknown, root: unknown): boolean {
  if (!Array.isArray(branches) || branches.length ** 2 > branchesPairedMax) return true;
  return !branches.every((branch) => isAlone(branch, branches, root));
}

function collect(context: unknown, root: unknown, found: Set<string>): void {
  const open: unknown[] = [context];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    for (const [key, member] of Object.entries(one)) {
      open.push(member);
      if (!references.has(key) || typeof member !== "string" || found.has(member)) continue;
      found.add(member);
      open.push(referenceTarget(member, root));
    }
  }
}
