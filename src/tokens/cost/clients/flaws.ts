import { isObject, type JsonObject, memberAt } from "#wire/json.ts";
import type { Part } from "../part.ts";
import { sdkRejection } from "./rejections.ts";

// Clients on an SDK check results, and show errors that say of each block which kinds it is not: 730 tokens for `{}`.

/** As many bytes as the most expensive reading of a byte costs the error, which says 730 tokens about three. */
export const flawBytesPerByte = 32;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isFlag: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isBase64: Check = (value) => typeof value === "string" && base64.test(value);
const base64 = /^[\w+/]*={0,2}$/;

const isReader: Check = (value) => value === "user" || value === "assistant";
const isShare: Check = (value) => typeof value === "number" && value >= 0 && value <= 1;
const isTime: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value);

type Members = Readonly<Record<string, Check>>;
type Shape = readonly (readonly [name: string, check: Check, isNeeded: boolean])[];

const annotations = shape(
  {},
  {
    audience: (value: unknown) => Array.isArray(value) && value.every(isReader),
    priority: isShare,
    lastModified: isTime,
  },
);
const icon = shape({ src: isText }, { mimeType: isText, sizes: isTexts });
const resource = shape({ uri: isText }, { mimeType: isText, _meta: isObject });
const isAnnotated: Check = (value) => fits(value, annotations);
const isIcons: Check = (value) => Array.isArray(value) && value.every((one) => fits(one, icon));
const data = blockShape({ data: isBase64, mimeType: isText });

const blocks: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ["text", blockShape({ text: isText })],
  ["image", data],
  ["audio", data],
  ["resource", blockShape({ resource: isResource })],
  [
    "resource_link",
    blockShape(
      { uri: isText, name: isText },
      { title: isText, description: isText, mimeType: isText, size: isNumber },
    ),
  ],
]);
const message = shape({ role: isReader, content: isBlock }, {});
const soundResult = shape({}, { structuredContent: isObject, isError: isFlag, _meta: isObject });

function blockShape(needed: Members, optional: Members = {}): Shape {
  return shape(needed, { ...optional, _meta: isObject, annotations: isAnnotated, icons: isIcons });
}

function shape(needed: Members, optional: Members): Shape {
  const members = (of: Members, isNeeded: boolean): Shape =>
    Object.entries(of).map(([name, check]) => [name, check, isNeeded]);
  return [...members(needed, true), ...members(optional, false)];
}

function fits(value: unknown, members: Shape): boolean {
  if (!isObject(value)) return false;
  for (const [name, check, isNeeded] of members) {
    const member = value[name];
    if ((isNeeded || member !== undefined) && !check(member)) return false;
  }
  return true;
}

export function isResource(value: unknown): boolean {
  if (!fits(value, resource)) return false;
  return isText(memberAt(value, "text")) || isBase64(memberAt(value, "blob"));
}

export function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false;
  const members = blocks.get(value["type"]);
  return members !== undefined && fits(value, members);
}

export function isMessage(value: unknown): boolean {
  return fits(value, message);
}

export function isSoundResult(result: JsonObject): boolean {
  return fits(result, soundResult);
}

/** The error for a value with flaws, at its longest: by kinds of blocks, and by values that each kind checks. */
export function flawText(value: unknown): Part {
  const names = ["annotations", "icons", "resource", "content"];
  const checked = names.map((name) => memberAt(value, name));
  const size = 2 ** Math.ceil(Math.log2(Math.min(valuesMax, 1 + countValues(checked))));
  const known = flawTexts.get(size) ?? { kind: "text", text: flaw.repeat(2 + size / 2) };
  flawTexts.set(size, known);
  return known;
}

const flaw = sdkRejection({ content: [{}] }) ?? "";

/** A list may have a hundred thousand flaws, so they share a few texts. */
const flawTexts = new Map<number, Part>();

// As many cost more than any call may.
const valuesMax = 4_096;

function countValues(value: unknown): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.reduce(
    (sum: number, one) => sum + (one === undefined ? 0 : 1) + countValues(one),
    0,
  );
}
