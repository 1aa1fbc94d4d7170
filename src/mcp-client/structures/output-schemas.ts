import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { SchemaRejection } from "#check/output-schema-problems.ts";
import type { StructureFault } from "#check/structure-fault.ts";
import type { JsonObject } from "#wire/json.ts";

/** Clients that cannot compile a schema, and the reason, which quotes the server. */
export type CompileFault = Pick<SchemaRejection, "reason" | "by">;

/** The options of both SDKs, but for the number of errors and the log: neither changes a verdict. */
const options: Options = {
  strict: false,
  validateFormats: true,
  validateSchema: false,
  allErrors: false,
  logger: false,
};

/**
 * The output schemas of one list of tools, compiled as the clients of the TypeScript SDK do: those of 1.x read each as
 * draft-07, those of 2.x in the dialect that it names. Only the latter speak the era of 2026. No reference is fetched.
 */
export class OutputSchemas {
  readonly #newer = new Map<string, ValidateFunction>();
  readonly #older = new Map<string, ValidateFunction>();
  readonly #isModern: boolean;
  /** One for each dialect, shared by all tools: two schemas with one `$id` are the first of them. */
  readonly #engines = new Map<string, Ajv>();

  constructor(isModern: boolean) {
    this.#isModern = isModern;
  }

  /** Compiles the schema of a tool; undefined when all clients can. */
  add(tool: string, schema: JsonObject): CompileFault | undefined {
    const newer = this.#try(this.#newer, tool, () => this.#compile(dialectIn(schema), schema));
    const older = this.#isModern
      ? undefined
      : this.#try(this.#older, tool, () => this.#compile("older", schema));
    const reason = newer ?? older;
    if (reason === undefined) return undefined;
    if (newer === undefined) return { reason, by: "older" };
    return { reason, by: older === undefined ? "newer" : "both" };
  }

  /** Compares a structure with the schema of its tool; undefined when clients accept it, or without such a schema. */
  async compare(
    tool: string,
    structure: unknown,
    isError: boolean,
  ): Promise<StructureFault | undefined> {
    // Clients of 2.x do not compare the structure of an error, those of 1.x do.
    const newer = isError ? undefined : await faultIn(this.#newer.get(tool), structure);
    if (newer) return { ...newer, isOlderOnly: false };
    const older = await faultIn(this.#older.get(tool), structure);
    return older && { ...older, isOlderOnly: true };
  }

  /** The reason for a schema that cannot be compiled. */
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
      return messageOf(error);
    }
  }

  #compile(engine: Engine, schema: JsonObject): ValidateFunction {
    const ajv = this.#engines.get(engine) ?? newEngine(engine);
    this.#engines.set(engine, ajv);
    const id = schema["$id"];
    return (typeof id === "string" ? ajv.getSchema(id) : undefined) ?? ajv.compile(schema);
  }
}

type Engine = "older" | "draft-07" | "2019-09" | "2020-12";

function newEngine(engine: Engine): Ajv {
  const classes = { older: Ajv, "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
  const ajv = new classes[engine](options);
  formats(ajv);
  return ajv;
}

const dialects: { readonly [uri: string]: Engine } = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft-07/schema": "draft-07",
  "json-schema.org/draft-06/schema": "draft-07",
};

/** The engine of SDK 2.x; throws for a dialect that it does not have. */
function dialectIn({ $schema: uri }: JsonObject): Engine {
  if (typeof uri !== "string") return "2020-12";
  const name = uri.replace(/#$/, "").replace(/^https?:\/\//, "");
  const dialect = Object.hasOwn(dialects, name) && name !== uri ? dialects[name] : undefined;
  if (dialect === undefined) throw new Error(`unknown dialect ${JSON.stringify(uri)} in $schema`);
  return dialect;
}

async function faultIn(
  validate: ValidateFunction | undefined,
  structure: unknown,
): Promise<Pick<StructureFault, "pointer" | "reason"> | undefined> {
  if (!validate) return undefined;
  try {
    // A schema with `$async` gives a promise. A client takes it for a yes, and its rejection ends the client.
    const isValid = await Promise.resolve<unknown>(validate(structure));
    if (isValid !== false) return undefined;
    // The last one is the outermost: of `anyOf` itself, after those of its branches.
    const error = validate.errors?.at(-1);
    return { pointer: error?.instancePath ?? "", reason: error ? reasonOf(error) : "must match" };
  } catch (error) {
    return { pointer: "", reason: `cannot be compared: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reasonOf({ keyword, message, params }: ErrorObject): string {
  const missing: unknown = keyword === "required" ? params["missingProperty"] : undefined;
  const extra: unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof missing === "string") return `must have the property ${JSON.stringify(missing)}`;
  if (typeof extra === "string") return `must not have the property ${JSON.stringify(extra)}`;
  return (message ?? "must match").replace(" NOT ", " not ");
}
