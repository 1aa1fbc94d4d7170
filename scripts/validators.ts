import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "ajv";
import { readIfPresent, writeWhole } from "./whole-files.ts";

const root = join(import.meta.dir, "..");
const folder = join(root, "dist/validators");

type Schema = { readonly [keyword: string]: unknown };

type Source = {
  readonly schema: string;
  // Many records are read, and all come from `JSON.parse`. Their validators report no errors.
  readonly isOfRecords?: boolean;
};

const sources: { readonly [name: string]: Source } = {
  calibration: { schema: "src/tokens/estimators/user-calibration.schema.json" },
  config: { schema: "src/state/storage/config/config.schema.json" },
  "day-totals": { schema: "src/state/storage/prune/day-totals.schema.json" },
  lock: { schema: "src/lock/lock.schema.json" },
  calls: { schema: "src/check/calls.schema.json" },
  prices: { schema: "src/records/money/prices.schema.json" },
  profile: { schema: "src/screens/renderers/profile.schema.json" },
  setup: { schema: "src/screens/renderers/setup.schema.json" },
  "imported-record": { schema: "src/records/imported-record.schema.json", isOfRecords: true },
  record: { schema: "src/records/record.schema.json", isOfRecords: true },
};

const inputs = ["scripts/validators.ts", "node_modules/ajv/package.json"];

// Writes dist/validators/<name>.js, so that the executable needs no `new Function`. Returns the written paths.
export async function buildValidators(): Promise<string[]> {
  const written: string[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const path = join(folder, `${name}.js`);
    const stamp = computeStamp(source);
    if (readIfPresent(path).toString().startsWith(stamp)) continue;
    writeWhole(path, `${stamp}\n${await compile(source)}\n`);
    written.push(path);
  }
  return written;
}

async function compile({ schema, isOfRecords = false }: Source): Promise<string> {
  const { default: Ajv2020 } = await import("ajv/dist/2020");
  const { default: standaloneCode } = await import("ajv/dist/standalone");
  const published = JSON.parse(readFileSync(join(root, schema), "utf8"));
  const inlined = inlineReferences<Schema>(published, published, isOfRecords ? Infinity : 200);
  const schemas = isOfRecords ? makeReaderSchemas(inlined) : { validate: inlined };
  const ajv = new Ajv2020({
    ...options,
    verbose: !isOfRecords,
    // `__proto__` in a file must neither supply a member nor hide one. Values from `JSON.parse` inherit no
    // members; checking for own ones would take a third of the time of a report.
    ownProperties: !isOfRecords,
  });
  for (const [name, added] of Object.entries(schemas)) ajv.addSchema(added, name);
  const code = standaloneCode(ajv, Object.fromEntries(Object.keys(schemas).map((id) => [id, id])));
  if (code.includes("require(")) throw new Error(`${schema} needs ajv at run time`);
  return code.replaceAll(isOfRecords ? errorLine : unusedErrorFacts, "");
}

// Where nobody reads the errors, they are a third of the validator's code.
const errorLine = /^validate\d+\.errors = \[\{.*\}\];$/gm;

// Members of errors that `kit/text/schema-mismatch.ts` does not read.
const unusedErrorFacts =
  /,schemaPath:"[^"]*"|,schema:(?:[\w.]+|"(?:[^"\\]|\\.)*")(?=,parentSchema)|(?<=params:\{)(?!missingProperty)[^{}]*(?=\})/g;

const options: Options = {
  code: { source: true, esm: true, lines: true },
  // A misspelt keyword, or one that does not apply to the type, fails the build.
  strict: true,
  allowUnionTypes: true,
  validateFormats: false,
  messages: false,
  // Lengths in UTF-16 units: counting code points would import ajv. All our lengths are 1.
  unicode: false,
  logger: false,
};

/** A newer minor version may add members to a record. */
function makeReaderSchemas(published: Schema): { readonly [type: string]: Schema } {
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

/**
 * Replaces references, such as `{"$ref": "#/$defs/x"}`, by their targets. Our schemas do not recurse. A target with
 * more characters of JSON than `lengthMax` gets its own function; beside the reference stays what an error names.
 */
function inlineReferences<Value>(value: Value, published: Schema, lengthMax: number): Value;
function inlineReferences(value: unknown, published: Schema, lengthMax: number): unknown {
  const inline = (item: unknown): unknown => inlineReferences(item, published, lengthMax);
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const [, ...steps] = String(value.$ref).split("/");
    const target = steps.reduce<unknown>((node, step) => (node as Schema)[step], published);
    if (JSON.stringify(target).length <= lengthMax) return inline(target);
    const named = Object.entries(target as Schema).filter(([key]) => namedKeywords.has(key));
    return { ...Object.fromEntries(named), ...value };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member)]));
}

// Keywords by which `kit/text/schema-mismatch.ts` describes a list or an object.
const namedKeywords: ReadonlySet<string> = new Set(["type", "title", "minItems", "maxItems"]);

function computeStamp({ schema }: Source): string {
  const hash = createHash("sha256");
  for (const file of [...inputs, schema]) hash.update(readFileSync(join(root, file)));
  return `// ${hash.digest("hex")}`;
}

if (import.meta.main) {
  const written = await buildValidators();
  console.log(written.length === 0 ? "validators are current" : written.join("\n"));
}
