import type { Clean } from "#text/one-line.ts";
import { quote } from "#text/schema-words.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";

/** The terms on which a result is judged. */
export type ResultTerms = {
  /** True when the definition of its tool has an `outputSchema`. */
  readonly hasOutputSchema: boolean;
  /** True in the 2026 era, in which structured content is of any type. */
  readonly isModern: boolean;
  /** Removes secrets from a text of the server. */
  readonly clean: Clean;
};

/**
 * Why a client would reject the result of a tool, as a clause; undefined when none does. The measure is the clients of
 * both SDKs: a result that one of them rejects is malformed. Structured content is not compared with its schema.
 */
export function findMalformation(result: unknown, terms: ResultTerms): string | undefined {
  return contentFault(result, terms.clean) ?? structureFault(result, terms) ?? flagFault(result);
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

function blockFault(block: unknown, clean: Clean): string | undefined {
  if (!isObject(block)) return `is ${kindOf(block)}, not an object`;
  const type = memberAt(block, "type");
  if (type === undefined) return "has no type";
  if (typeof type !== "string") return `has a type that is ${kindOf(type)}, not a text`;
  const members = Object.hasOwn(textMembers, type) ? textMembers[type] : undefined;
  if (!members) return `has the type ${quote(clean(type))}, which clients do not know`;
  const missing = members.find((name) => textAt(block, name) === undefined);
  if (missing !== undefined) return `of the type ${type} has no text in ${missing}`;
  if (type === "resource") return resourceFault(block["resource"]);
  const isBinary = members.includes("data");
  return isBinary && !isBase64(textAt(block, "data")) ? "has data that is not base64" : undefined;
}

/** The members of a block that must be texts, by its type. */
const textMembers: { readonly [type: string]: readonly string[] } = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

function resourceFault(resource: unknown): string | undefined {
  if (!isObject(resource)) return `of the type resource has no resource`;
  if (textAt(resource, "uri") === undefined) return "has a resource without a uri";
  if (textAt(resource, "text") !== undefined) return undefined;
  const blob = textAt(resource, "blob");
  if (blob === undefined) return "has a resource with neither text nor blob";
  return isBase64(blob) ? undefined : "has a blob that is not base64";
}

function isBase64(text: string | undefined): boolean {
  try {
    atob(text ?? "");
    return true;
  } catch {
    return false;
  }
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

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const kinds: { readonly [type: string]: string } = {
    string: "a text",
    number: "a number",
    boolean: "true or false",
  };
  return kinds[typeof value] ?? "an object";
}
