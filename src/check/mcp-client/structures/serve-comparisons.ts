import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type { SchemaRejection, StructureFault } from "../../output-schema-problems.ts";
import {
  makeSchemaEngine,
  type ErrorObject,
  type SchemaDialect,
  type SchemaEngine,
  type ValidateFunction,
} from "#kit/text/schema-engine.ts";

// Reads a JSON question from each line, and answers each with one line: a fault or null.
export async function serveComparisons(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<unknown>,
): Promise<void> {
  let schemas: OutputSchemas | undefined;
  for await (const line of splitLines(input)) {
    const question: unknown = JSON.parse(line);
    schemas ??= new OutputSchemas(readMember(question, "isModern") === true);
    await write(`${JSON.stringify((await answer(question, schemas)) ?? null)}\n`);
  }
}

async function answer(question: unknown, schemas: OutputSchemas): Promise<unknown> {
  const tool = readString(question, "tool") ?? "";
  const schema = readMember(question, "schema");
  if (isObject(schema)) return schemas.add(tool, schema);
  const isError = readMember(question, "isError") === true;
  return schemas.compare(tool, readMember(question, "structure"), isError);
}

async function* splitLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of input) {
    const [first = "", ...following] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    for (const next of following) {
      yield pieces.join("");
      pieces = [next];
    }
  }
}

type CompileFault = Pick<SchemaRejection, "reason" | "by">;

// Compiles as the TypeScript SDKs do: 1.x reads every schema as draft-07, 2.x in the dialect of its
// `$schema`. Only 2.x supports the 2026 protocol. Fetches no references.
export class OutputSchemas {
  readonly #newerValidators = new Map<string, ValidateFunction>();
  readonly #olderValidators = new Map<string, ValidateFunction>();
  readonly #isModern: boolean;
  // One engine per dialect of SDK 2.x, and one for 1.x: of two schemas with the same `$id`, the first applies.
  readonly #engines = new Map<string, SchemaEngine>();

  constructor(isModern: boolean) {
    this.#isModern = isModern;
  }

  add(tool: string, schema: JsonObject): CompileFault | undefined {
    const newerFault = this.#tryCompile(this.#newerValidators, tool, () =>
      this.#compile(readDialect(schema), schema),
    );
    const olderFault = this.#isModern
      ? undefined
      : this.#tryCompile(this.#olderValidators, tool, () => this.#compile("older", schema));
    const reason = newerFault ?? olderFault;
    if (reason === undefined) return undefined;
    if (newerFault === undefined) return { reason, by: "older" };
    return { reason, by: olderFault === undefined ? "newer" : "both" };
  }

  async compare(
    tool: string,
    structure: unknown,
    isError: boolean,
  ): Promise<StructureFault | undefined> {
    // SDK 2.x clients do not validate the structure of an error; 1.x clients do.
    const newerFault = isError
      ? undefined
      : await findFault(this.#newerValidators.get(tool), structure);
    if (newerFault) return { ...newerFault, isOlderOnly: false };
    const olderFault = await findFault(this.#olderValidators.get(tool), structure);
    return olderFault && { ...olderFault, isOlderOnly: true };
  }

  #tryCompile(
    validators: Map<string, ValidateFunction>,
    tool: string,
    compile: () => ValidateFunction,
  ): string | undefined {
    validators.delete(tool);
    try {
      validators.set(tool, compile());
      return undefined;
    } catch (error) {
      return readMessage(error);
    }
  }

  #compile(engine: Engine, schema: JsonObject): ValidateFunction {
    const ajv =
      this.#engines.get(engine) ?? makeSchemaEngine(engine === "older" ? "draft-07" : engine);
    this.#engines.set(engine, ajv);
    const id = schema["$id"];
    return (typeof id === "string" ? ajv.getSchema(id) : undefined) ?? ajv.compile(schema);
  }
}

type Engine = "older" | SchemaDialect;

const dialects: { readonly [uri: string]: Engine } = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft-07/schema": "draft-07",
  "json-schema.org/draft-06/schema": "draft-07",
};

function readDialect({ $schema: uri }: JsonObject): Engine {
  if (typeof uri !== "string") return "2020-12";
  const name = uri.replace(/#$/, "").replace(/^https?:\/\//, "");
  const dialect = Object.hasOwn(dialects, name) && name !== uri ? dialects[name] : undefined;
  if (dialect === undefined) throw new Error(`unknown dialect ${JSON.stringify(uri)} in $schema`);
  return dialect;
}

async function findFault(
  validate: ValidateFunction | undefined,
  structure: unknown,
): Promise<Pick<StructureFault, "pointer" | "reason"> | undefined> {
  if (!validate) return undefined;
  try {
    // A schema with `$async` returns a promise: clients treat it as valid, and crash if it rejects.
    const isValid = await Promise.resolve<unknown>(validate(structure));
    if (isValid !== false) return undefined;
    // The last error is the outermost, such as that of `anyOf` itself, after its branches.
    const error = validate.errors?.at(-1);
    return {
      pointer: error?.instancePath ?? "",
      reason: error ? describeError(error) : "must match the schema",
    };
  } catch (error) {
    return { pointer: "", reason: `cannot be compared: ${readMessage(error)}` };
  }
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function describeError({ keyword, message, params }: ErrorObject): string {
  const missing: unknown = keyword === "required" ? params["missingProperty"] : undefined;
  const extra: unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof missing === "string") return `must have the property ${JSON.stringify(missing)}`;
  if (typeof extra === "string") return `must not have the property ${JSON.stringify(extra)}`;
  return (message ?? "must match").replace(" NOT ", " not ");
}
