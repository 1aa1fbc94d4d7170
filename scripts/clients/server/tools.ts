import { makeLines } from "./answers.ts";
import { definitionTools, listTools } from "./kinds.ts";

export const instructions = `Use these tools for the weather of a city, ${makeLines(400).replaceAll("\n", " ")}\n${makeLines(5_000)}`;

const schema = {
  type: "object",
  properties: { city: { type: "string", description: "Its name" } },
};

const richSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  title: "LaunchContext and time",
  properties: {
    zone: {
      type: "string",
      description: "Time zone",
      default: "UTC",
      title: "Zone",
      pattern: "^[A-Z]",
    },
    city: { type: "string", minLength: 1, maxLength: 80, examples: ["Oslo"] },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    unit: { const: "celsius" },
    kind: { type: "string", enum: ["wind", "rain"], description: "Kind of weather" },
    since: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    points: {
      type: "array",
      items: { $ref: "#/$defs/point" },
      minItems: 1,
      maxItems: 9,
      uniqueItems: true,
    },
    height: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5, deprecated: true },
    place: { oneOf: [{ type: "string", readOnly: true }, { type: "integer" }] },
    names: { type: "object", minProperties: 1, propertyNames: { maxLength: 9 } },
    wish: { allOf: [{ type: "object", properties: { sun: { type: "boolean" } } }] },
    other: { not: { type: "string" }, $comment: "Not a string", "x-order": 3 },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: {
    point: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } },
  },
};

const extraMembers: { readonly [name: string]: object } = {
  long_declared: { _meta: { "anthropic/maxResultSizeChars": 200_000 } },
};

export function defineTools(set: string): readonly object[] {
  return listTools(set).map((name) =>
    definitionTools.some((one) => one === name)
      ? {
          name,
          description:
            name === "long_description" ? `A long one. ${makeLines(6_000)}` : "A rich schema",
          inputSchema: name === "rich_schema" ? richSchema : schema,
        }
      : {
          name,
          title: `Title of ${name}`,
          description: `Answers with ${name.replaceAll("_", " ")}`,
          inputSchema: schema,
          annotations: { readOnlyHint: true },
          ...extraMembers[name],
        },
  );
}

export const idleTool = { name: "idle", inputSchema: { type: "object" } };
