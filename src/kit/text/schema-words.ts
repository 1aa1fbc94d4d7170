import { quotedCharactersMax } from "../limits.ts";

export type ValueSchema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly const?: string | number;
  readonly enum?: readonly (string | number | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: ValueSchema };
};

/** Follows "must be": `a whole number from 1 to 100`, `"tool" or "rpc"`. */
export function describeSchema(schema: ValueSchema): string {
  const choices = schema.const === undefined ? schema.enum : [schema.const];
  if (choices) return alternatives(choices.map((choice) => JSON.stringify(choice)));
  return alternatives(typesOf(schema).map((type) => kinds[type]?.(schema) ?? type));
}

/** Follows "not". Only the kind of value where an object or a list belongs: it may be anything, even a secret. */
export function describeValue(value: unknown, schema: ValueSchema): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const isContainer = typesOf(schema).some((type) => type === "object" || type === "array");
  return isContainer ? "text" : quote(value);
}

export function quote(text: string): string {
  return JSON.stringify(
    text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text,
  );
}

function typesOf({ type = [] }: ValueSchema): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

const kinds: { readonly [type: string]: (schema: ValueSchema) => string } = {
  integer: ({ minimum, maximum }) => `a whole number${range(minimum, maximum)}`,
  number: ({ minimum, maximum }) => `a number${range(minimum, maximum)}`,
  string: ({ pattern, title = "text of another form", minLength }) => {
    if (pattern !== undefined) return title;
    return minLength === undefined ? "text" : "non-empty text";
  },
  boolean: () => "true or false",
  object: () => "an object",
  array: ({ minItems, maxItems, title }) => title ?? `a list${length(minItems, maxItems)}`,
  null: () => "null",
};

function range(min: number | undefined, max: number = Infinity): string {
  if (max < Number.MAX_SAFE_INTEGER) return ` from ${min ?? 0} to ${max}`;
  return min === undefined ? "" : ` of at least ${min}`;
}

function length(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return "";
  return min === max ? ` of ${min} items` : ` of at least ${min} item${min === 1 ? "" : "s"}`;
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
