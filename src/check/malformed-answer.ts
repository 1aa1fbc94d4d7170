import { attempt } from "#kit/errors.ts";
import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type { Redactor } from "#kit/text/unsafe-text.ts";
import { quote } from "#kit/text/schema-mismatch.ts";

type ResultContext = {
  readonly hasOutputSchema: boolean;
  readonly isModern: boolean;
  readonly redact: Redactor;
};

export function findMalformation(result: unknown, context: ResultContext): string | undefined {
  return (
    findContentFault(result, context.redact) ??
    findStructuredContentFault(result, context) ??
    findIsErrorFault(result) ??
    findMetaFault(result, context)
  );
}

function findContentFault(result: unknown, redact: Redactor): string | undefined {
  const content = readMember(result, "content");
  if (content === undefined) return "it has no content";
  if (!Array.isArray(content)) return `content is ${describeKind(content)}, not a list`;
  for (const [at, block] of content.entries()) {
    const fault = findBlockFault(block, redact);
    if (fault !== undefined) return `content[${at}] ${fault}`;
  }
  return undefined;
}

function findStructuredContentFault(result: unknown, context: ResultContext): string | undefined {
  const structuredContent = readMember(result, "structuredContent");
  if (structuredContent === undefined) {
    const isRequired = context.hasOutputSchema && readMember(result, "isError") !== true;
    return isRequired
      ? "it has no structuredContent, although the tool has an outputSchema"
      : undefined;
  }
  if (context.isModern || isObject(structuredContent)) return undefined;
  return `structuredContent is ${describeKind(structuredContent)}, not an object`;
}

function findIsErrorFault(result: unknown): string | undefined {
  const flag = readMember(result, "isError");
  if (flag === undefined || typeof flag === "boolean") return undefined;
  return `isError is ${describeKind(flag)}, not true or false`;
}

const relatedTask = "io.modelcontextprotocol/related-task";

// Finds a fault in `_meta` that makes clients ignore the result. In the 2026 protocol, `_meta` may be any object.
export function findMetaFault(
  result: unknown,
  { isModern }: Pick<ResultContext, "isModern">,
): string | undefined {
  const meta = readMember(result, "_meta");
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return `_meta is ${describeKind(meta)}, not an object`;
  if (isModern) return undefined;
  const [token, task] = [readMember(meta, "progressToken"), readMember(meta, relatedTask)];
  if (token !== undefined && typeof token !== "string" && !Number.isSafeInteger(token)) {
    return "_meta has a progressToken that is neither a string nor a whole number";
  }
  if (task === undefined || readString(task, "taskId") !== undefined) return undefined;
  return `_meta has ${relatedTask}, but its taskId is missing or not a string`;
}

export function findBlockFault(block: unknown, redact: Redactor): string | undefined {
  if (!isObject(block)) return `is ${describeKind(block)}, not an object`;
  const type = readMember(block, "type");
  if (type === undefined) return "has no type";
  if (typeof type !== "string") return `has a type that is ${describeKind(type)}, not a string`;
  const stringNames = Object.hasOwn(requiredStrings, type) ? requiredStrings[type] : undefined;
  if (!stringNames) return `has the type ${quote(redact(type))}, which clients do not know`;
  const missing = stringNames.find((name) => readString(block, name) === undefined);
  if (missing !== undefined)
    return `has the type "${type}", but its member "${missing}" is missing or not a string`;
  return (
    findPayloadFault(type, block) ??
    findMemberFault(block, optionalMemberRules[type] ?? commonRules)
  );
}

const requiredStrings: { readonly [type: string]: readonly string[] } = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  if (typeof value === "number") return "a number";
  return typeof value === "boolean" ? "a boolean" : "an object";
}

type MemberRule = (value: unknown, name: string) => string | undefined;

type MemberRules = { readonly [name: string]: MemberRule };

function findMemberFault(value: JsonObject, rules: MemberRules): string | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    const member = readMember(value, name);
    const fault = member === undefined ? undefined : rule(member, name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function makeKindRule(wanted: string, isValid: (value: unknown) => boolean): MemberRule {
  return (value, name) =>
    isValid(value) ? undefined : `has ${describeKind(value)} as ${name}, not ${wanted}`;
}

function makeRule(isValid: (value: unknown) => boolean, fault: string): MemberRule {
  return (value) => (isValid(value) ? undefined : fault);
}

const requireText = makeKindRule("a string", (value) => typeof value === "string");

const requireObject = makeKindRule("an object", isObject);

function isPriority(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isAudience(value: unknown): boolean {
  return Array.isArray(value) && value.every((role) => role === "user" || role === "assistant");
}

const annotationRules: MemberRules = {
  audience: makeRule(isAudience, 'has an audience that is not a list of "user" and "assistant"'),
  priority: makeRule(isPriority, "has a priority that is not a number from 0 to 1"),
  lastModified: makeRule(
    (value) => typeof value === "string" && isTime(value),
    "has a lastModified that is not a time such as 2026-01-31T12:00:00Z",
  ),
};

const commonRules: MemberRules = {
  annotations: (value, name) =>
    isObject(value) ? findMemberFault(value, annotationRules) : requireObject(value, name),
  _meta: requireObject,
};

const iconRules: MemberRules = {
  mimeType: requireText,
  sizes: makeRule(
    (value) => Array.isArray(value) && value.every((size) => typeof size === "string"),
    "has sizes that are not a list of strings",
  ),
  theme: makeRule(
    (value) => value === "light" || value === "dark",
    'has a theme that is neither "light" nor "dark"',
  ),
};

function findIconFault(value: unknown, name: string): string | undefined {
  if (!Array.isArray(value)) return `has ${describeKind(value)} as ${name}, not a list`;
  for (const icon of value) {
    if (readString(icon, "src") === undefined)
      return "has an icon whose src is missing or not a string";
    const fault = isObject(icon) ? findMemberFault(icon, iconRules) : undefined;
    if (fault !== undefined) return `has an icon that ${fault}`;
  }
  return undefined;
}

const optionalMemberRules: { readonly [type: string]: MemberRules } = {
  resource_link: {
    ...commonRules,
    title: requireText,
    description: requireText,
    mimeType: requireText,
    size: makeRule(Number.isFinite, "has a size that is not a finite number"),
    icons: findIconFault,
  },
};

function findPayloadFault(type: string, block: JsonObject): string | undefined {
  if (type === "resource") return findResourceFault(block["resource"]);
  const isBinary = type === "image" || type === "audio";
  return isBinary && !isBase64(readString(block, "data"))
    ? "has data that is not base64"
    : undefined;
}

function findResourceFault(resource: unknown): string | undefined {
  if (!isObject(resource))
    return 'has the type "resource", but its member "resource" is missing or not an object';
  if (readString(resource, "uri") === undefined)
    return "has a resource whose uri is missing or not a string";
  const fault = findMemberFault(resource, { mimeType: requireText, _meta: requireObject });
  if (fault !== undefined) return `has a resource that ${fault}`;
  if (readString(resource, "text") !== undefined) return undefined;
  const blob = readString(resource, "blob");
  if (blob === undefined) return "has a resource with neither text nor blob";
  return isBase64(blob) ? undefined : "has a blob that is not base64";
}

function isBase64(text: string | undefined): boolean {
  return attempt(() => {
    atob(text ?? "");
    return true;
  }, false);
}

const timePattern =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isTime(text: string): boolean {
  const [, year, month = 0, day = 0] = (timePattern.exec(text) ?? []).map(Number);
  if (year === undefined || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
