import {
  exampleItemsMax,
  exampleLevelsMax,
  examplesMax,
  textCharactersMax,
} from "#limits/definitions.ts";
import { compilePattern } from "#text/pattern.ts";
import { newSchemaEngine, type SchemaDialect, type SchemaEngine } from "#text/schema-engine.ts";
import { isObject } from "#wire/json.ts";
import { isInBounds } from "./contained.ts";
import type { Shapes } from "./normalise.ts";
import { itemIn, propertyIn, type Shape, type Subschema } from "./shapes.ts";

/** Undefined when the schema cannot be compiled. */
export type Validates = (value: unknown) => boolean | undefined;

/** Matches patterns in linear time and fetches no reference. */
export function validatorFor(schema: unknown): Validates {
  let validate: ((value: unknown) => unknown) | undefined;
  try {
    validate = compile(schema);
  } catch {
    // A pattern with a lookahead, a reference that leads nowhere, a keyword of the wrong form.
  }
  return (value) => {
    try {
      return validate && validate(value) === true;
    } catch {
      return undefined;
    }
  };
}

function compile(schema: unknown): (value: unknown) => unknown {
  if (!isObject(schema) && typeof schema !== "boolean") throw new TypeError("not a schema");
  const dialect = isObject(schema) ? schema["$schema"] : undefined;
  const isOld = typeof dialect === "string" && /draft-0[3-7]/.test(dialect);
  const engine = isOld ? "draft-07" : "2020-12";
  const ajv = (engines[engine] ??= newSchemaEngine(engine, {
    code: { regExp: linearPattern, optimize: false },
  }));
  try {
    if (!isObject(schema)) return ajv.compile(schema);
    // Its dialect is chosen already.
    const { $schema: _dialect, ...members } = schema;
    return ajv.compile(members);
  } finally {
    ajv.removeSchema();
  }
}

const engines: { [engine in SchemaDialect]?: SchemaEngine } = {};

const linearPattern = Object.assign(
  (source: string) => {
    const compiled = compilePattern(source);
    if ("fault" in compiled) throw new TypeError(compiled.fault);
    // Its name is the key under which the engine keeps it.
    return { test: compiled.pattern.isIn, toString: () => source };
  },
  { code: "" },
);

/** Some of them fit most patterns and formats. */
const texts: readonly (readonly [text: string, format?: string])[] = [
  ["a"],
  [""],
  ["A"],
  ["0"],
  ["aa"],
  ["abc-1"],
  ["a b"],
  ["2026-01-31", "date"],
  ["2026-01-31T10:00:00Z", "date-time"],
  ["10:00:00Z", "time"],
  ["P1D", "duration"],
  ["a@example.org", "email"],
  ["https://example.org/a", "uri"],
  ["/a", "uri-reference"],
  ["example.org", "hostname"],
  ["127.0.0.1", "ipv4"],
  ["::1", "ipv6"],
  ["123e4567-e89b-42d3-a456-426614174000", "uuid"],
  ["\u00e9!"],
];

/** Proposes values for schemas; some may not fit. */
export class Examples {
  readonly #shapes: Shapes;
  #left = examplesMax;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** The simplest first. */
  of(subschema: Subschema, level: number = 0): unknown[] {
    if (subschema.length === 0) return ["a", 0.5, 1, null, true, [], {}];
    return (this.#shapes.expand(subschema) ?? []).flatMap((shape) => this.ofShape(shape, level));
  }

  /** With `other`, also values beyond its bounds. */
  ofShape(shape: Shape, level: number = 0, other?: Shape): unknown[] {
    if (level === 0) this.#left = examplesMax;
    this.#left -= 1;
    const { values, type } = shape;
    if (this.#left < 0 || level > exampleLevelsMax)
      return values ? [...values.values()].slice(0, 1) : [];
    if (values) return [...values.values()];
    if (type === "number") return numbers(shape, other);
    if (type === "string") return strings(shape, other);
    return type === "array" ? this.#arrays(shape, level, other) : this.#objects(shape, level);
  }

  objectWith(shape: Shape, name: string, value: unknown): unknown {
    this.#left = examplesMax;
    return { ...this.#constants(shape), ...this.#smallest(shape, 0), [name]: value };
  }

  arrayWith(shape: Shape, index: number, value: unknown): unknown {
    this.#left = examplesMax;
    const count = Math.min(Math.max(index + 1, shape.bounds.get("minItems") ?? 0), exampleItemsMax);
    return Array.from({ length: count }, (_, at) =>
      at === index ? value : this.#first(itemIn(shape, at), 1),
    );
  }

  #first(subschema: Subschema, level: number): unknown {
    return this.of(subschema, level + 1)[0] ?? null;
  }

  #smallest(shape: Shape, level: number): { [name: string]: unknown } {
    const names = [...shape.required].slice(0, exampleItemsMax);
    return Object.fromEntries(
      names.map((name) => [name, this.#first(propertyIn(shape, name), level)]),
    );
  }

  // Branches of a schema differ by such constants.
  #constants({ properties }: Shape): { [name: string]: unknown } {
    const entries = [...properties].slice(0, exampleItemsMax).flatMap(([name, subschema]) => {
      const [only, ...others] = this.#shapes.expand(subschema) ?? [];
      const [value, ...values] = only?.values?.values() ?? [];
      const isOnly = only?.values !== undefined && others.length === 0 && values.length === 0;
      return isOnly ? [[name, value] as const] : [];
    });
    return Object.fromEntries(entries);
  }

  #objects(shape: Shape, level: number): unknown[] {
    const smallest = this.#smallest(shape, level);
    const optional = [...shape.properties.keys()].slice(0, exampleItemsMax);
    const variants = optional.flatMap((name) =>
      this.of(propertyIn(shape, name), level + 1).map((value) => ({ ...smallest, [name]: value })),
    );
    const further = this.of(shape.rest, level + 2).slice(0, 3);
    return [smallest, ...variants, ...further.map((value) => ({ ...smallest, other: value }))];
  }

  #arrays(shape: Shape, level: number, other: Shape | undefined): unknown[] {
    const least = Math.min(shape.bounds.get("minItems") ?? 0, exampleItemsMax);
    const most = Math.min(shape.bounds.get("maxItems") ?? Infinity, exampleItemsMax);
    const beyond = [...(other?.bounds.values() ?? [])].flatMap((size) => [size - 1, size + 1]);
    const sizes = [least, least + 2, ...beyond].filter((size) => size >= least && size <= most);
    const filled = (count: number): unknown[] =>
      Array.from({ length: count }, (_, at) => this.#first(itemIn(shape, at), level));
    const indexes = Array.from({ length: Math.max(shape.prefix.length, 1) }, (_, at) => at);
    const variants = indexes
      .slice(0, exampleItemsMax)
      .flatMap((at) =>
        this.of(itemIn(shape, at), level + 1).map((value) =>
          filled(Math.max(least, at + 1)).with(at, value),
        ),
      );
    return [...sizes.map(filled), ...variants];
  }
}

function numbers(shape: Shape, other: Shape | undefined): number[] {
  const edges = [shape, ...(other ? [other] : [])].flatMap(({ bounds, exact }) => [
    ...bounds.values(),
    ...[...exact.values()].flatMap(({ value }) => (typeof value === "number" ? [value] : [])),
  ]);
  const nearby = edges.flatMap((edge) => [edge, edge - 1, edge + 1, edge + 0.5]);
  return [...nearby, 0, 1, 2, -1, 0.5, 3, 1e6].filter((value) => isInBounds(value, shape));
}

function strings(shape: Shape, other: Shape | undefined): string[] {
  const sizes = [...shape.bounds.values(), ...(other?.bounds.values() ?? [])];
  const nearby = sizes.flatMap((size) => [size, size + 1, Math.max(0, size - 1)]);
  const sized = nearby.filter((size) => size <= textCharactersMax).map((size) => "a".repeat(size));
  const formats = textLimits("format", shape);
  const patterns = textLimits("pattern", shape);
  const known = texts.filter(([, name]) => formats.every((format) => format === name));
  const others = other ? textLimits("pattern", other) : [];
  const plain = [...patterns, ...others].map(simplestMatch);
  return [...plain, ...known.map(([text]) => text), ...sized].filter(
    (text) => isInBounds(text, shape) && patterns.every((pattern) => isMatch(pattern, text)),
  );
}

function textLimits(name: string, { exact }: Shape): string[] {
  const values = [...exact.values()].flatMap(({ keyword, value }) =>
    keyword === name ? [value] : [],
  );
  return values.filter((value) => typeof value === "string");
}

function isMatch(pattern: string, text: string): boolean {
  try {
    return linearPattern(pattern).test(text);
  } catch {
    return false;
  }
}

/** Its literals, and the first member of each class and choice. */
function simplestMatch(pattern: string): string {
  return pattern
    .replace(/\\d/g, "1")
    .replace(/\\w/g, "a")
    .replace(/\[([^\]\\^])[^\]]*\]/g, "$1")
    .replace(/\|[^)]*/g, "")
    .replace(/([^\\])\{(\d{1,3})(?:,\d*)?\}/g, (_, before: string, times: string) =>
      before.repeat(Number(times)),
    )
    .replace(/\\(.)|[+*?^$()]/g, "$1");
}
