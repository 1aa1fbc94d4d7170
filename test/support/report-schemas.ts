import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv";
import Ajv2020 from "ajv/dist/2020";
import { validateXML } from "xmllint-wasm";

const root = join(import.meta.dir, "..", "..");

type Schema = Readonly<Record<string, unknown>>;

function readSchema(...path: readonly string[]): Schema {
  const schema: Schema = JSON.parse(readFileSync(join(root, ...path), "utf8"));
  return schema;
}

export function ownSchema(
  name: "check" | "lock" | "failure" | "profile" | "report",
): ValidateFunction {
  const schema = readSchema("src", "screens", "renderers", `${name}.schema.json`);
  return new Ajv2020({ allErrors: true }).compile(schema);
}

export function commandSchema(
  name: "config-report" | "doctor" | "prune" | "setup" | "trim" | "validate" | "wrap",
): ValidateFunction {
  return new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
    readSchema("src", "screens", "renderers", `${name}.schema.json`),
  );
}

export function otherReportSchema(name: "advice" | "replay" | "sequences"): ValidateFunction {
  const schema = readSchema("src", "screens", "renderers", "reports", `${name}.schema.json`);
  return new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
}

/** SARIF 2.1.0. Written for draft 4, of which it uses nothing that later drafts changed but the two names left out. */
export function sarifSchema(): ValidateFunction {
  const path = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
  const { $schema: _draft, id: _id, ...schema } = readSchema(path);
  return new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
}

/** An endpoint badge, as https://shields.io/badges/endpoint-badge describes it, without the members that we leave out. */
export function badgeSchema(): ValidateFunction {
  return new Ajv2020().compile({
    type: "object",
    additionalProperties: false,
    required: ["schemaVersion", "label", "message"],
    properties: {
      schemaVersion: { const: 1 },
      label: { type: "string" },
      message: { type: "string", minLength: 1 },
      color: { enum: ["brightgreen", "green", "yellow", "orange", "red", "blue", "lightgrey"] },
      isError: { type: "boolean" },
    },
  });
}

const junitSchema = readFileSync(join(root, "test", "fixtures", "junit.xsd"), "utf8");

export async function junitObjections(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: { fileName: "report.xml", contents: xml },
    schema: junitSchema,
  });
  return errors.map(({ message }) => message);
}
