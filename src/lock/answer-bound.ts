import { schemaSizeMax } from "./limits.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { findAnswerList } from "./answer-list.ts";
import { closedSize } from "./closed-size.ts";
import { baseTokensDefault, itemTokens } from "./item-size.ts";
import { countMaximum, sizeMaximum, smallestMaximum, type Maximum } from "./limit-parameters.ts";

export type AnswerBound =
  /** `source` names the part of the definition that declares it. */
  | { readonly kind: "declared"; readonly bytes: number; readonly source: string }
  /** The most items, and the tokens of each. */
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly baseTokens: number;
      /** The definition does not limit every value of an item. */
      readonly isItemAssumed: boolean;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly baseTokens: number };

// A declared size, else a bounded list, else none.
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
  const isItemAssumed = list?.isItemClosed !== true;
  return { kind: "bounded", items: most.at, baseTokens, isItemAssumed, source: most.source };
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

// A size is declared when there is no list and every length is known.
function declaredBySchema(output: unknown): AnswerBound | undefined {
  const bytes = isObject(output) ? closedSize(output) : undefined;
  if (bytes === undefined) return undefined;
  return { kind: "declared", bytes, source: "outputSchema maxLength" };
}
