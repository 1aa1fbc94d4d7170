import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type { SchemaRejection, StructureFault } from "../../output-schema-problems.ts";
import {
  makeSchemaEngine,
  type ErrorObject,
  type SchemaDialect,
  type SchemaEngine,
  type ValidateFunction,
} from "#kit/text/schema-engine.ts";

// One JSON value per line, and one answer to each: a fault, or null.
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

// Compiled like the TypeScript SDK: 1.x reads every schema as draft-07, 2.x in its own dialect. Only 2.x speaks the 2026
// era. No reference is fetched.
export class OutputSchemas {
  readonly #newer = new Map<string, ValidateFunction>();
  readonly #older = new Map<string, ValidateFunction>();
  readonly #isModern: boolean;
  // One per dialect, shared by all tools: of two schemas with the same `$id`, the first applies.
  readonly #engines = new Map<string, SchemaEngine>();

  constructor(isModern: boolean) {
    this.#isModern = isModern;
  }

  add(tool: string, schema: JsonObject): CompileFault | undefined {
    const newer = this.#try(this.#newer, tool, () => this.#compile(readDialect(schema), schema));
    const older = this.#isModern
      ? undefined
      : this.#try(this.#older, tool, () => this.#compile("older", schema));
    const reason = newer ?? older;
    if (reason === undefined) return undefined;
    if (newer === undefined) return { reason, by: "older" };
    return { reason, by: older === undefined ? "newer" : "both" };
  }

  async compare(
    tool: string,
    structure: unknown,
    isError: boolean,
  ): Promise<StructureFault | undefined> {
    // Clients of 2.x do not compare the structure of an error; those of 1.x do.
    const newer = isError ? undefined : await findFault(this.#newer.get(tool), structure);
    if (newer) return { ...newer, isOlderOnly: false };
    const older = await findFault(this.#older.get(tool), structure);
    return older && { ...older, isOlderOnly: true };
  }

  #try(
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
    // A schema with `$async` returns a promise. A client takes it for a yes, and its rejection ends the client.
    const isValid = await Promise.resolve<unknown>(validate(structure));
    if (isValid !== false) return undefined;
    // The last error is the outermost: that of `anyOf` itself, after its branches.
    const error = validate.errors?.at(-1);
    return {
      pointer: error?.instancePath ?? "",
      reason: error ? describeError(error) : "must match",
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
