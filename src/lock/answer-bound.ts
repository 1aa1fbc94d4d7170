import { schemaSizeMax } from "#limits.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { findAnswerList } from "./answer-list.ts";
import { baseTokensDefault, fixedCharacters, itemTokens } from "./item-size.ts";
import { countMaximum, sizeMaximum, smallestMaximum, type Maximum } from "./limit-parameters.ts";
import { SchemaWalk, typeOf } from "./schema-walk.ts";

/** The limit that a definition sets on its tool's answers. */
export type AnswerBound =
  /** The whole answer in bytes; `source` names the part of the definition that declares it. */
  | { readonly kind: "declared"; readonly bytes: number; readonly source: string }
  /** A list: the most items, and the tokens of one. */
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly baseTokens: number;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly baseTokens: number };

/** The bound of a tool's answers: a declared size, else a bounded list, else none. */
export function answerBound(tool: JsonObject): AnswerBound {
  const output = tool["outputSchema"];
  const declared = declaredByMeta(tool) ?? declaredByParameter(tool) ?? declaredBySchema(output);
  if (declared) return declared;
  const list = isObject(output) ? findAnswerList(output) : undefined;
  const whole = isObject(output) ? itemTokens(output) : baseTokensDefault;
  const baseTokens = list?.baseTokens ?? whole;
  const maxima = [countMaximum(tool), listMaximum(list?.itemsMax)];
  const most = smallestMaximum(maxima.filter((one) => one !== undefined));
  if (!most) return { kind: "unbounded", baseTokens };
  return { kind: "bounded", items: most.at, baseTokens, source: most.source };
}

function listMaximum(itemsMax: number | undefined): Maximum | undefined {
  return itemsMax === undefined ? undefined : { at: itemsMax, source: "outputSchema maxItems" };
}

function declaredByMeta(tool: JsonObject): AnswerBound | undefined {
  const bytes = memberAt(tool, "_meta", "anthropic/maxResultSizeChars");
  if (typeof bytes !== "number" || !(bytes > 0) || bytes > schemaSizeMax) return undefined;
  return { kind: "declared", bytes: Math.ceil(bytes), source: "anthropic/maxResultSizeChars" };
}

function declaredByParameter(tool: JsonObject): AnswerBound | undefined {
  const most = sizeMaximum(tool);
  return most && { kind: "declared", bytes: most.at, source: most.source };
}

/** An output schema declares a size when it holds no list and the length of every value is known. */
function declaredBySchema(output: unknown): AnswerBound | undefined {
  if (!isObject(output)) return undefined;
  const bytes = closedBytes(output, new SchemaWalk(output), 0);
  if (bytes === undefined) return undefined;
  return { kind: "declared", bytes, source: "outputSchema maxLength" };
}

/** Most bytes of the values; undefined when the length of one of them is unlimited. */
function closedBytes(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const fixed = fixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const type = typeOf(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    return isOpen ? undefined : sum(properties.map((one) => closedBytes(one, walk, level + 1)));
  }
  return closedScalars.get(type);
}

/** Most characters of a scalar as JSON. */
const closedScalars: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 20],
  ["number", 24],
  ["null", 4],
]);

function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}
