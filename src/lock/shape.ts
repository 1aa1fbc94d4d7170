import { isObject } from "#wire/json.ts";

/** What a value from a file must look like; a list of shapes is an array whose items have the first one. */
export type Shape =
  | "text"
  | "count"
  | "flag"
  | "sha256"
  | "anything"
  | { readonly optional: Shape }
  | { readonly nullable: Shape }
  | { readonly oneOf: readonly (string | number)[] }
  | { readonly members: { readonly [name: string]: Shape } }
  | { readonly items: Shape };

/** Where and how a value does not fit, as `tools[3].tokens must be a count`; undefined when it does. */
export function misfit(value: unknown, shape: Shape, place: string = "it"): string | undefined {
  if (typeof shape === "string") {
    return fits[shape](value) ? undefined : `${place} must be ${wanted[shape]}`;
  }
  if ("optional" in shape)
    return value === undefined ? undefined : misfit(value, shape.optional, place);
  if ("nullable" in shape) return value === null ? undefined : misfit(value, shape.nullable, place);
  if ("oneOf" in shape) {
    const isOne = shape.oneOf.some((one) => one === value);
    return isOne ? undefined : `${place} must be one of ${shape.oneOf.join(", ")}`;
  }
  if ("items" in shape) {
    if (!Array.isArray(value)) return `${place} must be a list`;
    return first(value.map((one, at) => () => misfit(one, shape.items, `${place}[${at}]`)));
  }
  if (!isObject(value)) return `${place} must be an object`;
  const { members } = shape;
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(members, name));
  if (stranger !== undefined) return `${place} has the unknown member "${stranger}"`;
  const inside = place === "it" ? "" : `${place}.`;
  return first(
    Object.entries(members).map(
      ([name, one]) =>
        () =>
          misfit(value[name], one, `${inside}${name}`),
    ),
  );
}

type Plain = Extract<Shape, string>;

const fits: { readonly [plain in Plain]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  count: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  flag: (value) => typeof value === "boolean",
  sha256: (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
  anything: () => true,
};

const wanted: { readonly [plain in Plain]: string } = {
  text: "a text",
  count: "a whole number",
  flag: "true or false",
  sha256: "a SHA-256 in hexadecimal",
  anything: "anything",
};

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}
