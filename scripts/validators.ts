import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "ajv";
import { writeWhole } from "./write-whole.ts";

const root = join(import.meta.dir, "..");
const folder = join(root, "dist/validators");

type Schema = { readonly [keyword: string]: unknown };

type Source = {
  readonly schema: string;
  readonly exportsOf: (published: Schema) => { readonly [name: string]: Schema };
  readonly isExplained: boolean;
  /**
   * True where each value comes from `JSON.parse`, to which `__proto__` is a member like any other: no member is
   * inherited, and to ask for own ones takes a third of the time of a report.
   */
  readonly isFromJsonParse?: boolean;
};

const validateOnly: Source["exportsOf"] = (published) => ({ validate: published });

const sources: { readonly [name: string]: Source } = {
  calibration: {
    schema: "src/tokens/estimators/calibration.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  config: {
    schema: "src/state/storage/config/config.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  "day-totals": {
    schema: "src/state/storage/prune/day-totals.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  lock: { schema: "src/lock/lock.schema.json", exportsOf: validateOnly, isExplained: true },
  calls: { schema: "src/check/calls.schema.json", exportsOf: validateOnly, isExplained: true },
  prices: {
    schema: "src/records/money/prices.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  profile: {
    schema: "src/screens/renderers/profile.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  setup: {
    schema: "src/screens/renderers/setup.schema.json",
    exportsOf: validateOnly,
    isExplained: true,
  },
  "imported-record": {
    schema: "src/records/imported-record.schema.json",
    exportsOf: readerSchemas,
    isExplained: false,
    isFromJsonParse: true,
  },
  record: {
    schema: "src/records/record.schema.json",
    exportsOf: readerSchemas,
    isExplained: false,
    isFromJsonParse: true,
  },
};

const makers = ["scripts/validators.ts", "node_modules/ajv/package.json"];

/**
 * To dist/validators/<name>.js, which the executable embeds: no `new Function` at run time.
 * Returns the written paths.
 */
export async function buildValidators(): Promise<string[]> {
  const written: string[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const path = join(folder, `${name}.js`);
    const stamp = stampOf(source);
    if (isCurrent(path, stamp)) continue;
    writeWhole(path, `${stamp}\n${await compile(source)}\n`);
    written.push(path);
  }
  return written;
}

async function compile({
  schema,
  exportsOf,
  isExplained,
  isFromJsonParse,
}: Source): Promise<string> {
  const { default: Ajv2020 } = await import("ajv/dist/2020");
  const { default: standaloneCode } = await import("ajv/dist/standalone");
  const published = JSON.parse(readFileSync(join(root, schema), "utf8"));
  const schemas = exportsOf(inlined(published, published));
  const ajv = new Ajv2020({
    ...options,
    verbose: isExplained,
    // `__proto__` in a file must neither supply a member nor hide one.
    ownProperties: isFromJsonParse !== true,
  });
  for (const [name, one] of Object.entries(schemas)) ajv.addSchema(one, name);
  const code = standaloneCode(ajv, Object.fromEntries(Object.keys(schemas).map((id) => [id, id])));
  if (code.includes("require(")) throw new Error(`${schema} needs a part of ajv at run time`);
  return isExplained ? code.replaceAll(unreadFacts, "") : code.replaceAll(errorLine, "");
}

// Nobody reads the errors of a validator that only answers: a third of its code.
const errorLine = /^validate\d+\.errors = \[\{.*\}\];$/gm;

// Facts of errors that `kit/text/validation.ts` does not read.
const unreadFacts =
  /,schemaPath:"[^"]*"|,schema:(?:[\w.]+|"(?:[^"\\]|\\.)*")(?=,parentSchema)|(?<=params:\{)(?!missingProperty)[^{}]*(?=\})/g;

const options: Options = {
  code: { source: true, esm: true, lines: true },
  // A misspelt keyword, or one that does not apply to the type, fails the build.
  strict: true,
  allowUnionTypes: true,
  validateFormats: false,
  messages: false,
  // Lengths in UTF-16 units: counting code points would import a part of ajv. All our lengths are 1.
  unicode: false,
  logger: false,
};

/** A newer minor version may add members to a record. */
function readerSchemas(published: Schema): { readonly [type: string]: Schema } {
  const types = Object.entries(published["$defs"] as { readonly [type: string]: Schema });
  return Object.fromEntries(
    types.map(([type, { additionalProperties: _closed, ...open }]) => {
      const properties = {
        ...(open["properties"] as Schema),
        schema_version: { type: "string", pattern: "^1\\." },
      };
      return [type, { ...open, properties }];
    }),
  );
}

/** The value with each reference, as `{"$ref": "#/$defs/x"}`, replaced by its target. Our schemas do not recurse. */
function inlined<Value>(value: Value, published: Schema): Value;
function inlined(value: unknown, published: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, published));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const [, ...steps] = String(value.$ref).split("/");
    const target = steps.reduce<unknown>((part, step) => (part as Schema)[step], published);
    return inlined(target, published);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, inlined(member, published)]),
  );
}

function stampOf({ schema }: Source): string {
  const hash = createHash("sha256");
  for (const file of [...makers, schema]) hash.update(readFileSync(join(root, file)));
  return `// ${hash.digest("hex")}`;
}

function isCurrent(path: string, stamp: string): boolean {
  try {
    return readFileSync(path, "utf8").startsWith(stamp);
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const written = await buildValidators();
  console.log(written.length === 0 ? "validators are current" : written.join("\n"));
}
