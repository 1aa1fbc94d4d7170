import { isObject, type JsonObject, memberAt } from "#wire/json.ts";
import type { Part } from "../part.ts";
import { invalidBlocks } from "./common.ts";

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

type Shape = {
  readonly needed?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
};

const annotations = {
  optional: {
    audience: (value: unknown) => Array.isArray(value) && value.every(isReader),
    priority: isShare,
    lastModified: isTime,
  },
};
const icon = { needed: { src: isText }, optional: { mimeType: isText, sizes: isTexts } };
const named = { title: isText, description: isText, mimeType: isText, size: isNumber };
const resource = { needed: { uri: isText }, optional: { mimeType: isText, _meta: isObject } };
const data = { needed: { data: isBase64, mimeType: isText } };

const blocks: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ["text", { needed: { text: isText } }],
  ["image", data],
  ["audio", data],
  ["resource", { needed: { resource: isResource } }],
  ["resource_link", { needed: { uri: isText, name: isText }, optional: named }],
]);

function fits(value: unknown, { needed = {}, optional = {} }: Shape): boolean {
  if (!isObject(value)) return false;
  const isAbsentOr = ([name, check]: [string, Check]): boolean =>
    value[name] === undefined || check(value[name]);
  const isThere = ([name, check]: [string, Check]): boolean => check(value[name]);
  return Object.entries(needed).every(isThere) && Object.entries(optional).every(isAbsentOr);
}

export function isResource(value: unknown): boolean {
  if (!fits(value, resource)) return false;
  return isText(memberAt(value, "text")) || isBase64(memberAt(value, "blob"));
}

export function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false;
  const shape = blocks.get(value["type"]);
  const beside = { optional: { _meta: isObject, annotations: isAnnotated, icons: isIcons } };
  return shape !== undefined && fits(value, shape) && fits(value, beside);
}

const isAnnotated: Check = (value) => fits(value, annotations);
const isIcons: Check = (value) => Array.isArray(value) && value.every((one) => fits(one, icon));

export function isMessage(value: unknown): boolean {
  return fits(value, { needed: { role: isReader, content: isBlock } });
}

/** True for the members of a result next to its blocks. */
export function isSoundResult(result: JsonObject): boolean {
  return fits(result, {
    optional: { structuredContent: isObject, isError: isFlag, _meta: isObject },
  });
}

/** The error for a value with flaws, at its longest: by kinds of blocks, and by values that each kind checks. */
export function flawText(value: unknown): Part {
  const names = ["annotations", "icons", "resource", "content"];
  const checked = names.map((name) => memberAt(value, name));
  const size = 2 ** Math.ceil(Math.log2(Math.min(valuesMax, 1 + countValues(checked))));
  const known = flawTexts.get(size) ?? { kind: "text", text: invalidBlocks().repeat(2 + size / 2) };
  flawTexts.set(size, known);
  return known;
}

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
