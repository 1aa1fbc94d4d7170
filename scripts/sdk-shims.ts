// In the executable, replaces the modules by which the MCP SDK adapts to its platform. Theirs contain ajv once for the
// client and once for the server, although the executable has it and compares answers itself (docs/adr/0022-check.md).
export { default as process } from "node:process";

export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("The executable has no validator of the MCP SDK");
  }
}
