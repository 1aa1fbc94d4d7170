import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { parseExactly } from "./exact-json.ts";

/** The parts of an answer that expectations are about. */
export type AnswerParts = {
  /** Its texts, one per line; without any, its structure as compact JSON. */
  readonly text: string;
  /** `structuredContent`, else the text if it is JSON; undefined without either. */
  readonly structure: unknown;
};

/**
 * The result of a tool as text and structure. Numbers of the structure that a double does not hold are symbols, as `parseExactly`
 * gives them; those of `structuredContent` come from `line`, the line of the answer.
 */
export function answerIn(result: unknown, line?: string): AnswerParts {
  const texts = arrayAt(result, "content").flatMap((block) => textIn(block) ?? []);
  const structured = memberAt(result, "structuredContent");
  const text = texts.length > 0 ? texts.join("\n") : compactJson(structured);
  if (structured === undefined || structured === null) return { text, structure: parsed(text) };
  const read = line === undefined ? undefined : parsed(line);
  return { text, structure: memberAt(read, "result", "structuredContent") ?? structured };
}

function textIn(block: unknown): string | undefined {
  return textAt(block, "text") ?? textAt(block, "resource", "text");
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** The part of a value that a JSON pointer (RFC 6901) leads to; undefined where it leads nowhere. */
export function partAt(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  const steps = pointer.slice(1).split("/");
  return steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((here, step) => childOf(here, step), value);
}

function childOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
