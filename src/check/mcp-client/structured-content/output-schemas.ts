import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type { SchemaRejection, OutputMismatch } from "../../output-schema-problems.ts";
import {
  makeSchemaEngine,
  type ErrorObject,
  type SchemaDialect,
  type SchemaEngine,
  type ValidateFunction,
} from "#kit/text/schema-engine.ts";

// Each line is a JSON question, and gets one line as its answer: a fault or null.
export async function serveValidation(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<unknown>,
): Promise<void> {
  let schemas: OutputSchemas | undefined;
  for await (const line of splitLines(input)) {
    const question: unknown = JSON.parse(line);
    schemas ??= new OutputSchemas(readMember(question, "isSdk2Only") === true);
    await write(`${JSON.stringify((await answerQuestion(question, schemas)) ?? null)}\n`);
  }
}

async function answerQuestion(question: unknown, schemas: OutputSchemas): Promise<unknown> {
  const tool = readString(question, "tool") ?? "";
  const schema = readMember(question, "schema");
  if (isObject(schema)) return schemas.add(tool, schema);
  const isError = readMember(question, "isError") === true;
  return schemas.validate(tool, readMember(question, "structuredContent"), isError);
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

type CompileFault = Pick<SchemaRejection, "reason" | "rejectedBy">;

// Validates as the TypeScript SDKs do: 1.x reads every schema as draft-07, 2.x in the dialect that the
// schema names in `$schema`. Only 2.x supports the 2026 protocol. Referenced schemas are not fetched.
export class OutputSchemas {
  readonly #sdk1Validators = new Map<string, ValidateFunction>();
  readonly #sdk2Validators = new Map<string, ValidateFunction>();
  readonly #isSdk2Only: boolean;
  // Shared by all schemas, as in the SDKs: of two schemas with the same `$id`, the first applies.
  readonly #engines = new Map<EngineKey, SchemaEngine>();

  constructor(isSdk2Only: boolean) {
    this.#isSdk2Only = isSdk2Only;
  }

  add(tool: string, schema: JsonObject): CompileFault | undefined {
    const sdk2Fault = this.#tryCompile(this.#sdk2Validators, tool, () =>
      this.#compile(readDialect(schema), schema),
    );
    const sdk1Fault = this.#isSdk2Only
      ? undefined
      : this.#tryCompile(this.#sdk1Validators, tool, () => this.#compile("sdk1", schema));
    const reason = sdk2Fault ?? sdk1Fault;
    if (reason === undefined) return undefined;
    if (sdk2Fault === undefined) return { reason, rejectedBy: "sdk1" };
    return { reason, rejectedBy: sdk1Fault === undefined ? "sdk2" : "both" };
  }

  async validate(
    tool: string,
    structuredContent: unknown,
    isError: boolean,
  ): Promise<OutputMismatch | undefined> {
    // SDK 2.x clients do not validate the structured content of a result with `isError`; 1.x clients do.
    const sdk2Fault = isError
      ? undefined
      : await findFault(this.#sdk2Validators.get(tool), structuredContent);
    if (sdk2Fault) return { ...sdk2Fault, isSdk1Only: false };
    const sdk1Fault = await findFault(this.#sdk1Validators.get(tool), structuredContent);
    return sdk1Fault && { ...sdk1Fault, isSdk1Only: true };
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

  #compile(key: EngineKey, schema: JsonObject): ValidateFunction {
    const engine = this.#engines.get(key) ?? makeSchemaEngine(key === "sdk1" ? "draft-07" : key);
    this.#engines.set(key, engine);
    const id = schema["$id"];
    return (typeof id === "string" ? engine.getSchema(id) : undefined) ?? engine.compile(schema);
  }
}

type EngineKey = "sdk1" | SchemaDialect;

const dialects: { readonly [uri: string]: SchemaDialect } = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft-07/schema": "draft-07",
  "json-schema.org/draft-06/schema": "draft-07",
};

function readDialect({ $schema: uri }: JsonObject): SchemaDialect {
  if (typeof uri !== "string") return "2020-12";
  // SDK 2.x knows a dialect only by its http or https URI.
  const name = /^https?:\/\/(.*?)#?$/.exec(uri)?.[1] ?? "";
  const dialect = Object.hasOwn(dialects, name) ? dialects[name] : undefined;
  if (dialect === undefined) throw new Error(`unknown dialect ${JSON.stringify(uri)} in $schema`);
  return dialect;
}

async function findFault(
  validate: ValidateFunction | undefined,
  structuredContent: unknown,
): Promise<Pick<OutputMismatch, "pointer" | "reason"> | undefined> {
  if (!validate) return undefined;
  try {
    // For a schema with `$async`, `validate` returns a promise. Clients treat any promise as "valid", and
    // crash if it rejects.
    const isValid = await Promise.resolve<unknown>(validate(structuredContent));
    const [outermost] = validate.errors?.slice(-1) ?? [];
    return isValid === false && outermost
      ? { pointer: outermost.instancePath, reason: describeError(outermost) }
      : undefined;
  } catch (error) {
    return { pointer: null, reason: readMessage(error) };
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
  return (message ?? "does not match the schema").replace(" NOT ", " not ");
}
