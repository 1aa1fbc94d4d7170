import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { parseExactly } from "./exact-json.ts";

export type AnswerParts = {
  /** One text per line; without any, the structure as compact JSON. */
  readonly text: string;
  readonly structure: unknown;
};

/** Numbers of the structure that a double does not hold are symbols, as in `parseExactly`; those of `structuredContent` come from `line`. */
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
