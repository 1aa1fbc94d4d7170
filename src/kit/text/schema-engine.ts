import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export type SchemaDialect = "draft-07" | "2019-09" | "2020-12";

export type SchemaEngine = Ajv;

export type { ErrorObject, ValidateFunction } from "ajv";

// Configured as in the MCP SDK's clients, but it stops at the first error and logs nothing. It fetches no references.
export function makeSchemaEngine(dialect: SchemaDialect, options: Options = {}): SchemaEngine {
  const classes = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
  const engine = new classes[dialect]({
    strict: false,
    validateFormats: true,
    validateSchema: false,
    allErrors: false,
    logger: false,
    ...options,
  });
  addFormats(engine);
  return engine;
}
