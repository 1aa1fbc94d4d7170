import { schemaMaximumMax } from "./limits.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { closedSize } from "./closed-size.ts";
import { itemTokens } from "./item-size.ts";
import { branchesOf, SchemaWalk, typeOf } from "#wire/schema-walk.ts";

export type AnswerList = {
  /** Tokens of an item. */
  readonly baseTokens: number;
  /** The schema limits every value of an item, so `baseTokens` is not an assumption. */
  readonly isItemClosed: boolean;
  /** Undefined when unlimited. */
  readonly itemsMax: number | undefined;
};

/** The outermost list: the most expensive without a limit, else the most expensive. */
export function findAnswerList(root: JsonObject): AnswerList | undefined {
  const lists = outermostLists(root);
  const open = lists.filter(({ itemsMax }) => itemsMax === undefined);
  const cost = ({ baseTokens, itemsMax = 1 }: AnswerList): number => baseTokens * itemsMax;
  return (open.length > 0 ? open : lists).toSorted((one, other) => cost(other) - cost(one))[0];
}

function outermostLists(root: JsonObject): AnswerList[] {
  const walk = new SchemaWalk(root);
  const collect = (rawSchema: unknown, level: number): AnswerList[] => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return [];
    if (typeOf(schema) === "array") {
      const items = schema["items"] ?? {};
      const isItemClosed = closedSize(items, root) !== undefined;
      const itemsMax = statedItemsMax(schema);
      return [{ baseTokens: itemTokens(items, root), isItemClosed, itemsMax }];
    }
    return partsOf(schema).flatMap((part) => collect(part, level + 1));
  };
  return collect(root, 0);
}

function statedItemsMax({ maxItems }: JsonObject): number | undefined {
  const isStated = typeof maxItems === "number" && maxItems >= 0 && maxItems <= schemaMaximumMax;
  return isStated ? Math.floor(maxItems) : undefined;
}

function partsOf(schema: JsonObject): unknown[] {
  const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
  const branches = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) => branchesOf(schema, key));
  return [...properties, ...branches];
}

export function hasOpenList(output: unknown): boolean {
  const walk = new SchemaWalk(output);
  const isOpen = (rawSchema: unknown, level: number): boolean => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return false;
    if (typeOf(schema) === "array" && typeof schema["maxItems"] !== "number") return true;
    const parts = [...partsOf(schema), schema["items"]].filter(isObject);
    return parts.some((part) => isOpen(part, level + 1));
  };
  return isOpen(output, 0);
}
