import { attempt } from "#kit/errors.ts";
import { isObject, type JsonObject, readMember } from "#wire/json.ts";
import type { ShownItem } from "./client-profile.ts";
import type { Part } from "./block.ts";

// Clients based on the TypeScript SDK reject a flawed result: they show zod's list of issues as indented JSON. A flawed
// block is compared with every kind of block, so the list may be long: 730 tokens for `{}`.

type Path = readonly (string | number)[];
type Issue = { readonly path: Path; readonly [member: string]: unknown };
type Check = (value: unknown, path: Path) => readonly Issue[];
type Members = Readonly<Record<string, Check>>; // in the order in which zod checks members

const reportType = (expected: string, value: unknown, path: Path): Issue => ({
  expected,
  code: "invalid_type",
  path,
  message: `Invalid input: expected ${expected}, received ${describeType(value)}`,
});

const checkText: Check = (value, path) =>
  typeof value === "string" ? [] : [reportType("string", value, path)];

const checkOptionalText: Check = (value, path) =>
  value === undefined ? [] : checkText(value, path);

const checkBase64: Check = (value, path) => {
  if (typeof value !== "string") return checkText(value, path);
  return isBase64(value) ? [] : [{ code: "custom", path, message: "Invalid Base64 string" }];
};

function isBase64(value: string): boolean {
  if (value.length > checkedCharactersMax)
    return !/[^A-Za-z0-9+/=\s]/.test(value.slice(0, checkedCharactersMax));
  return attempt(() => {
    atob(value);
    return true;
  }, false);
}

const checkedCharactersMax = 4_096;

const checkLiteral =
  (expected: string): Check =>
  (value, path) =>
    value === expected ? [] : [reportLiteral(expected, path)];

const reportLiteral = (expected: string, path: Path): Issue => ({
  code: "invalid_value",
  values: [expected],
  path,
  message: `Invalid input: expected "${expected}"`,
});

const resourceForms: readonly Members[] = [
  { uri: checkText, mimeType: checkOptionalText, text: checkText },
  { uri: checkText, mimeType: checkOptionalText, blob: checkBase64 },
];

// In the SDK's order.
const blockForms = new Map<unknown, Members>([
  ["text", { type: checkLiteral("text"), text: checkText }],
  ["image", listMediaMembers("image")],
  ["audio", listMediaMembers("audio")],
  [
    "resource_link",
    {
      name: checkText,
      title: checkOptionalText,
      uri: checkText,
      description: checkOptionalText,
      mimeType: checkOptionalText,
      type: checkLiteral("resource_link"),
    },
  ],
  [
    "resource",
    {
      type: checkLiteral("resource"),
      resource: (value, path) => checkForms(value, resourceForms, path),
    },
  ],
]);

function listMediaMembers(kind: string): Members {
  return { type: checkLiteral(kind), data: checkBase64, mimeType: checkText };
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function checkMembers(value: unknown, members: Members): readonly Issue[] {
  if (!isObject(value)) return [reportType("object", value, [])];
  return Object.entries(members).flatMap(([name, check]) => check(value[name], [name]));
}

// If no form fits, reports the issues of all forms, as zod does for a union. But if exactly one form fits apart from
// invalid base64, and `listsAllForms` is false, reports only the issues of this form.
function checkForms(
  value: unknown,
  forms: readonly Members[],
  path: Path,
  listsAllForms = false,
): readonly Issue[] {
  const tried = forms.map((members) => checkMembers(value, members));
  if (tried.some((issues) => issues.length === 0)) return [];
  const almostFitting = tried.filter((issues) => issues.every(({ code }) => code === "custom"));
  const [only] = almostFitting;
  if (!only || almostFitting.length > 1 || listsAllForms) {
    return [{ code: "invalid_union", errors: tried, path, message: "Invalid input" }];
  }
  return only.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function checkBlock(block: unknown, index: number, listsAllForms = false): readonly Issue[] {
  const members = isObject(block) ? blockForms.get(block["type"]) : undefined;
  if (members && checkMembers(block, members).length === 0) return [];
  return checkForms(block, [...blockForms.values()], ["content", index], listsAllForms);
}

function checkContent(content: unknown, listsAllForms = false): readonly Issue[] {
  if (!Array.isArray(content)) return [reportType("array", content, ["content"])];
  return content.flatMap((block: unknown, index) => checkBlock(block, index, listsAllForms));
}

type SdkChecks = {
  readonly structured?: unknown; // parsed from a text block; checked only if the result has no structured content
  readonly listsAllForms?: boolean; // reports issues of all forms even if only base64 is invalid, as some versions of zod do
  readonly knowsModernEra?: boolean; // a `resultType` changes the checks, as in version 2 of the SDK
};

export function findSdkRejection(
  result: unknown,
  { structured: copied, listsAllForms, knowsModernEra }: SdkChecks = {},
): string | undefined {
  if (!isObject(result)) return undefined;
  const isModern = knowsModernEra === true && "resultType" in result;
  const { content = isModern ? undefined : [], structuredContent = copied } = result;
  const isStructured = isModern || structuredContent === undefined || isObject(structuredContent);
  const issues = [...checkContent(content, listsAllForms)];
  if (!isStructured) issues.push(reportType("record", structuredContent, ["structuredContent"]));
  return issues.length === 0 ? undefined : JSON.stringify(issues, null, 2);
}

/** True if the Rust SDK mistakes the result for the result of another method. */
export function isUnrecognizedResult(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { content, structuredContent: structured, isError } = result;
  if (content === undefined) return structured === undefined && isError === undefined;
  if (!Array.isArray(content)) return true;
  return content.some((block: unknown, index) =>
    checkBlock(block, index).some(({ code }) => code !== "custom"),
  );
}

export function rejectResult(
  result: unknown,
  prefix = "",
  checks?: SdkChecks,
): readonly ShownItem[] | undefined {
  const issues = findSdkRejection(result, checks);
  return issues === undefined ? undefined : [[prefix + issues]];
}

// An unknown client may show an SDK's error about an answer: 730 tokens for each `{},`. So in an unparsed answer, the 3
// bytes of each `{},` count as 3 × `flawBytesPerByte` × `readingBytesPerByte` = 768 bytes of text. That covers the
// error, because each of the 768 bytes counts as at least one token.
export const flawBytesPerByte = 32;

type FitCheck = (value: unknown) => boolean;

const isText: FitCheck = (value) => typeof value === "string";
const isTextList: FitCheck = (value) => Array.isArray(value) && value.every(isText);
const isBoolean: FitCheck = (value) => typeof value === "boolean";
const isNumber: FitCheck = (value) => typeof value === "number";
// Unlike `isBase64`, reads all of a long text, and accepts no white space.
const hasBase64: FitCheck = (value) =>
  typeof value === "string" &&
  base64Pattern.test(value) &&
  (value.endsWith("=") ? value.length % 4 === 0 : value.length % 4 !== 1);
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

const isRole: FitCheck = (value) => value === "user" || value === "assistant";
const isPriority: FitCheck = (value) => typeof value === "number" && value >= 0 && value <= 1;
const isTimestamp: FitCheck = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);

type FitMembers = Readonly<Record<string, FitCheck>>;
type Shape = readonly (readonly [name: string, check: FitCheck, isRequired: boolean])[];

const annotationsShape = makeShape(
  {},
  {
    audience: (value: unknown) => Array.isArray(value) && value.every(isRole),
    priority: isPriority,
    lastModified: isTimestamp,
  },
);
const iconShape = makeShape({ src: isText }, { mimeType: isText, sizes: isTextList });
const resourceShape = makeShape({ uri: isText }, { mimeType: isText, _meta: isObject });
const isAnnotated: FitCheck = (value) => fitsShape(value, annotationsShape);
const isIconList: FitCheck = (value) =>
  Array.isArray(value) && value.every((item) => fitsShape(item, iconShape));
const mediaShape = makeBlockShape({ data: hasBase64, mimeType: isText });

const blockShapes: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ["text", makeBlockShape({ text: isText })],
  ["image", mediaShape],
  ["audio", mediaShape],
  ["resource", makeBlockShape({ resource: isResource })],
  [
    "resource_link",
    makeBlockShape(
      { uri: isText, name: isText },
      { title: isText, description: isText, mimeType: isText, size: isNumber },
    ),
  ],
]);
const messageShape = makeShape({ role: isRole, content: isBlock }, {});
const resultShape = makeShape(
  {},
  { structuredContent: isObject, isError: isBoolean, _meta: isObject },
);

function makeBlockShape(required: FitMembers, optional: FitMembers = {}): Shape {
  return makeShape(required, {
    ...optional,
    _meta: isObject,
    annotations: isAnnotated,
    icons: isIconList,
  });
}

function makeShape(required: FitMembers, optional: FitMembers): Shape {
  const listMembers = (checks: FitMembers, isRequired: boolean): Shape =>
    Object.entries(checks).map(([name, check]) => [name, check, isRequired]);
  return [...listMembers(required, true), ...listMembers(optional, false)];
}

function fitsShape(value: unknown, members: Shape): boolean {
  if (!isObject(value)) return false;
  for (const [name, check, isRequired] of members) {
    const member = value[name];
    if ((isRequired || member !== undefined) && !check(member)) return false;
  }
  return true;
}

export function isResource(value: unknown): boolean {
  if (!fitsShape(value, resourceShape)) return false;
  return isText(readMember(value, "text")) || hasBase64(readMember(value, "blob"));
}

export function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false;
  const members = blockShapes.get(value["type"]);
  return members !== undefined && fitsShape(value, members);
}

export function isMessage(value: unknown): boolean {
  return fitsShape(value, messageShape);
}

export function isValidResult(result: JsonObject): boolean {
  return fitsShape(result, resultShape);
}

// For up to `valuesMax` values, the text is at least as long as the SDK's error about the values.
export function makeFlawText(value: unknown): Part {
  const names = ["annotations", "icons", "resource", "content"];
  const checked = names.map((name) => readMember(value, name));
  const size = 2 ** Math.ceil(Math.log2(Math.min(valuesMax, 1 + countValues(checked))));
  const known = flawTexts.get(size) ?? { kind: "text", text: shortestFlaw.repeat(2 + size / 2) };
  flawTexts.set(size, known);
  return known;
}

const shortestFlaw = findSdkRejection({ content: [{}] }) ?? "";

const flawTexts = new Map<number, Part>();

// An error that names this many values, or more, is estimated at 1.5 million tokens.
const valuesMax = 4_096;

function countValues(value: unknown): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.reduce(
    (sum: number, item) => sum + (item === undefined ? 0 : 1) + countValues(item),
    0,
  );
}
