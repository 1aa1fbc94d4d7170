import { attempt } from "#kit/errors.ts";
import { compilePattern } from "#kit/text/regular-expression.ts";
import {
  makeSchemaEngine,
  type SchemaDialect,
  type SchemaEngine,
} from "#kit/text/schema-engine.ts";
import { isObject } from "#wire/json.ts";
import {
  isWithin,
  findMember,
  type Limit,
  type Shape,
  type Shapes,
  type Conjunction,
} from "./schema-shapes.ts";

const exampleLevelsMax = 8;

const exampleItemsMax = 40;

const exampleTupleItemsMax = 100;

// For all arrays of one comparison together, because nested arrays multiply.
const exampleElementsMax = 100_000;

const textCharactersMax = 5_000;

/** Returns undefined if the schema cannot be compiled or evaluated. */
export type SchemaPredicate = (value: unknown) => boolean | undefined;

const engines: { [engine in SchemaDialect]?: SchemaEngine } = {};

/** Matches patterns in linear time and fetches no references. */
export function compileValidator(schema: unknown): SchemaPredicate {
  const { $schema: schemaUri, ...members } = isObject(schema) ? schema : { $schema: undefined };
  const isDraft7OrOlder = typeof schemaUri === "string" && /draft-0[3-7]/.test(schemaUri);
  const dialect = isDraft7OrOlder ? "draft-07" : "2020-12";
  const code = { regExp: compileLinearPattern, optimize: false };
  const engine = (engines[dialect] ??= makeSchemaEngine(dialect, { code }));
  try {
    const validate = engine.compile(typeof schema === "boolean" ? schema : members);
    // A recursive schema may exhaust the stack.
    return (value) => attempt(() => validate(value));
  } catch {
    // For example, a pattern has a lookahead, a reference leads nowhere, or a keyword is malformed.
    return () => undefined;
  } finally {
    engine.removeSchema();
  }
}

const compileLinearPattern = Object.assign(
  (source: string) => {
    const compiled = compilePattern(source);
    if ("fault" in compiled) throw new TypeError(compiled.fault);
    // The engine caches patterns by the result of `toString`.
    return { test: compiled.pattern.occursIn, toString: () => source };
  },
  // The engine requires `code`; it only matters for standalone output.
  { code: "" },
);

const samples: { readonly [format: string]: string } = {
  date: "2026-01-31",
  "date-time": "2026-01-31T10:00:00Z",
  time: "10:00:00Z",
  duration: "P1D",
  email: "a@example.org",
  uri: "https://example.org/a",
  "uri-reference": "/a",
  hostname: "example.org",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

const sampleTexts = ["a", "A", "0", "aa", "abc-1", "a b", "", "\u00e9!", ...Object.values(samples)];

export class Examples {
  readonly #shapes: Shapes;
  #elementsMade = 0;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  *generate(schemas: Conjunction, level: number = 0): Generator<unknown> {
    if (schemas.length === 0) yield* ["a", 0.5, 1, null, true, [], {}];
    else
      for (const shape of this.#shapes.expand(schemas) ?? [])
        yield* this.generateForShape(shape, level);
  }

  /** Also proposes values around `probedLimit`; they need not satisfy it. */
  *generateForShape(shape: Shape, level: number = 0, probedLimit?: Limit): Generator<unknown> {
    const { values, type } = shape;
    const limits = [...shape.limits.values(), ...(probedLimit ? [probedLimit] : [])];
    if (values) yield* values.values();
    else if (level > exampleLevelsMax) return;
    else if (type === "object") yield* this.#generateObjects(shape, level);
    else if (type === "array") yield* this.#generateArrays(shape, level, limits);
    else {
      const candidates: readonly unknown[] =
        type === "number" ? proposeNumbers(limits) : proposeTexts(limits);
      yield* candidates.filter((value) =>
        [...shape.limits.values()].every((rule) => mayFit(value, rule)),
      );
    }
  }

  makeWithMember(shape: Shape, name: string, value: unknown, level: number = 0): unknown {
    if (shape.type === "object") return { ...this.#makeSmallest(shape, level), [name]: value };
    const at = Number(name);
    const count = Math.max(at + 1, Math.min(readMinItems(shape), exampleItemsMax));
    const elements = this.#makeArray(shape, Math.min(count, exampleTupleItemsMax), level);
    // `toSpliced` appends the value if `at` is beyond the end of the array.
    return elements.toSpliced(at, 1, value);
  }

  #generateFirst(schemas: Conjunction, level: number): unknown {
    const { value } = this.generate(schemas, level + 1).next();
    return value ?? null;
  }

  #makeSmallest(shape: Shape, level: number): { readonly [name: string]: unknown } {
    const names = [...shape.members.keys(), ...shape.required].filter(
      // Optional constants are included too: they usually identify the branch of a `oneOf`.
      (name) => shape.required.has(name) || this.#isConstant(findMember(shape, name)),
    );
    const included = [...new Set(names)].slice(0, exampleItemsMax);
    return Object.fromEntries(
      included.map((name) => [name, this.#generateFirst(findMember(shape, name), level)]),
    );
  }

  #isConstant(schemas: Conjunction): boolean {
    const [only, ...others] = schemas.length === 0 ? [] : (this.#shapes.expand(schemas) ?? []);
    return others.length === 0 && only?.values?.size === 1;
  }

  *#generateObjects(shape: Shape, level: number): Generator<unknown> {
    yield this.#makeSmallest(shape, level);
    const unusedName = makeUnusedName(new Set([...shape.members.keys(), ...shape.required]));
    for (const [name, member] of [...shape.members, [unusedName, shape.otherMembers] as const]) {
      for (const value of this.generate(member, level + 1))
        yield this.makeWithMember(shape, name, value, level);
    }
  }

  *#generateArrays(shape: Shape, level: number, limits: readonly Limit[]): Generator<unknown> {
    const minItems = readMinItems(shape);
    const edges = readNumbers(limits).flatMap((size) => [size - 1, size + 1]);
    for (const size of [minItems, minItems + 2, ...edges]) {
      const isAllowed = size >= minItems && size <= exampleItemsMax;
      if (isAllowed) yield this.#makeArray(shape, size, level);
    }
    for (let at = 0; at <= Math.min(shape.members.size, exampleItemsMax); at += 1) {
      const name = String(at);
      const elements = this.generate(findMember(shape, name), level + 1);
      for (const value of elements) yield this.makeWithMember(shape, name, value, level);
    }
  }

  // Beyond `exampleElementsMax`, returns an empty array. An example that then breaks its schema is dropped later.
  #makeArray(shape: Shape, count: number, level: number): unknown[] {
    this.#elementsMade += count;
    if (this.#elementsMade > exampleElementsMax) return [];
    return Array.from({ length: count }, (_, at) =>
      this.#generateFirst(findMember(shape, String(at)), level),
    );
  }
}

export function makeUnusedName(names: ReadonlySet<string>): string {
  return names.has("other") ? `${[...names].join("")}_` : "other";
}

function readNumbers(limits: readonly Limit[]): number[] {
  return limits.map(({ value }) => value).filter((value) => typeof value === "number");
}

function readMinItems({ limits }: Shape): number {
  return Math.max(
    0,
    ...readNumbers([...limits.values()].filter((limit) => limit.keyword === "minItems")),
  );
}

function proposeNumbers(limits: readonly Limit[]): number[] {
  const near = readNumbers(limits).flatMap((edge) => [edge, edge - 1, edge + 1, edge + 0.5]);
  return [...near, 0, 1, 2, -1, 0.5, 3, 1e6];
}

function proposeTexts(limits: readonly Limit[]): string[] {
  const patterns = limits.flatMap(({ keyword, value }) =>
    keyword === "pattern" && typeof value === "string" ? [makeSimpleMatch(value)] : [],
  );
  const sizes = readNumbers(limits).flatMap((size) => [size, size + 1, size - 1]);
  const sized = sizes.filter((size) => size >= 0 && size <= textCharactersMax);
  return [...patterns, ...sampleTexts, ...sized.map((size) => "a".repeat(size))];
}

function mayFit(value: unknown, limit: Limit): boolean {
  const { keyword, value: rule } = limit;
  if (typeof rule === "number") return isWithin(value, limit);
  if (typeof rule !== "string" || typeof value !== "string") return true;
  if (keyword === "format") return (samples[rule] ?? value) === value;
  return keyword !== "pattern" || attempt(() => compileLinearPattern(rule).test(value)) === true;
}

function makeSimpleMatch(pattern: string): string {
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
