import { isJsonEqual } from "#wire/json-equal.ts";
import { arrayAt, isObject, memberAt, textAt } from "#wire/json.ts";
import type { ClientProfile } from "./client-profile.ts";
import { contentParts, jsonPart, type Part, type TextPart } from "./part.ts";

/**
 * The parts of an answer: those that the model reads, those that came over the wire, those that came twice. A
 * part in more than one list is the same object, so that its price can be stored by part.
 */
export type Visibility = {
  readonly visible: readonly Part[];
  readonly wire: readonly Part[];
  /** Text blocks whose JSON equals `structuredContent`; each is also in `wire`. */
  readonly duplicate: readonly Part[];
};

/** The parts of a `tools/call` result, and those that a client shows to its model. Accepts any JSON value. */
export function describeToolResult(rawResult: unknown, profile: ClientProfile): Visibility {
  const content = contentParts(arrayAt(rawResult, "content"), profile);
  const structured = structuredParts(rawResult);
  const others = otherParts(rawResult);
  const wire = [...content, ...structured, ...others];
  const [only] = structured;
  if (only === undefined) {
    return { visible: content.length > 0 ? content : others, wire, duplicate: [] };
  }
  const shown = partsBesideStructured(content, profile);
  return {
    visible: shown === undefined ? content : [...shown, only],
    wire,
    duplicate: content.filter((part) =>
      isDuplicate(part, memberAt(rawResult, "structuredContent"), only.text),
    ),
  };
}

/** The parts of `content` shown next to `structuredContent`; undefined when they are shown instead of it. */
function partsBesideStructured(
  content: readonly Part[],
  { besideStructured: kept }: ClientProfile,
): readonly Part[] | undefined {
  if (kept === "nothing") return [];
  if (kept === "images") return content.filter(({ kind }) => kind === "image");
  return kept === "content-instead" && content.length > 0 ? undefined : content;
}

/** `structuredContent` as one part, unless it is absent or null. */
function structuredParts(rawResult: unknown): readonly TextPart[] {
  const structured = memberAt(rawResult, "structuredContent");
  const part = jsonPart(structured);
  return structured === null || part.text === "" ? [] : [part];
}

const knownMembers = new Set(["structuredContent", "isError", "resultType", "_meta"]);

/** The members of a result that its type does not know, as one part; the whole result when it is not an object. */
function otherParts(rawResult: unknown): readonly TextPart[] {
  if (rawResult === undefined) return [];
  if (!isObject(rawResult)) return [jsonPart(rawResult)];
  const members = Object.entries(rawResult).filter(
    ([name, value]) => !knownMembers.has(name) && !(name === "content" && Array.isArray(value)),
  );
  return members.length === 0 ? [] : [jsonPart(Object.fromEntries(members))];
}

function isDuplicate(part: Part, structured: unknown, structuredText: string): boolean {
  return (
    part.kind === "text" &&
    textAt(part.block, "type") === "text" &&
    isJsonEqual(part.text, structured, structuredText)
  );
}
