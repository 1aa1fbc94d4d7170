import type { Clean } from "#kit/text/one-line.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";
import { blockFault, kindOf } from "./malformed-block.ts";

export type ResultTerms = {
  readonly hasOutputSchema: boolean;
  readonly isModern: boolean;
  readonly clean: Clean;
};

/** A clause; a result that clients of either SDK reject is malformed. Structured content is compared with its schema elsewhere. */
export function findMalformation(result: unknown, terms: ResultTerms): string | undefined {
  return (
    contentFault(result, terms.clean) ??
    structureFault(result, terms) ??
    flagFault(result) ??
    findMetaFault(result, terms)
  );
}

function contentFault(result: unknown, clean: Clean): string | undefined {
  const content = memberAt(result, "content");
  if (content === undefined) return "it has no content";
  if (!Array.isArray(content)) return `content is ${kindOf(content)}, not a list`;
  for (const [at, block] of content.entries()) {
    const fault = blockFault(block, clean);
    if (fault !== undefined) return `content[${at}] ${fault}`;
  }
  return undefined;
}

function structureFault(result: unknown, terms: ResultTerms): string | undefined {
  const structure = memberAt(result, "structuredContent");
  if (structure === undefined) {
    const isDue = terms.hasOutputSchema && memberAt(result, "isError") !== true;
    return isDue ? "it has no structuredContent, although the tool has an outputSchema" : undefined;
  }
  if (terms.isModern || isObject(structure)) return undefined;
  return `structuredContent is ${kindOf(structure)}, not an object`;
}

function flagFault(result: unknown): string | undefined {
  const flag = memberAt(result, "isError");
  if (flag === undefined || typeof flag === "boolean") return undefined;
  return `isError is ${kindOf(flag)}, not true or false`;
}

const relatedTask = "io.modelcontextprotocol/related-task";

/** In the era of 2025, clients ignore results with such a `_meta`. */
export function findMetaFault(
  result: unknown,
  { isModern }: Pick<ResultTerms, "isModern">,
): string | undefined {
  const meta = memberAt(result, "_meta");
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return `_meta is ${kindOf(meta)}, not an object`;
  if (isModern) return undefined;
  const [token, task] = [memberAt(meta, "progressToken"), memberAt(meta, relatedTask)];
  if (token !== undefined && typeof token !== "string" && !Number.isSafeInteger(token)) {
    return "_meta has a progressToken that is neither a text nor a whole number";
  }
  if (task === undefined || textAt(task, "taskId") !== undefined) return undefined;
  return `_meta has ${relatedTask} without a text in taskId`;
}
