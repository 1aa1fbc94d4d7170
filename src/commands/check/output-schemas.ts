import {
  findSchemaFault,
  schemaRejectors,
  type SchemaRejection,
} from "#check/output-schema-problems.ts";
import type { CallFault } from "#check/played-call.ts";
import { structureFault } from "#check/structure-fault.ts";
import type { ToolAnswer } from "#check/mcp-client/tool-call.ts";
import type { StructureComparer } from "#check/mcp-client/structures/structure-comparer.ts";
import type { Clean } from "#kit/text/one-line.ts";
import { isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";

export async function rejectedSchemas(
  tools: readonly JsonObject[],
  isModern: boolean,
  comparer: Pick<StructureComparer, "add">,
): Promise<SchemaRejection[]> {
  const rejections: SchemaRejection[] = [];
  for (const definition of tools) {
    const schema = memberAt(definition, "outputSchema");
    if (schema === undefined) continue;
    const tool = textAt(definition, "name") ?? "";
    const reason = findSchemaFault(schema, isModern);
    if (reason !== undefined || !isObject(schema)) {
      const by = schemaRejectors(schema, isModern) === "older" ? "older" : "list";
      rejections.push({ tool, reason: reason ?? "", by });
      continue;
    }
    const found = await comparer.add(tool, schema, isModern);
    if (found) rejections.push({ tool, ...found });
  }
  return rejections;
}

export async function findStructureFault(
  { result, isError }: Pick<ToolAnswer, "result" | "isError">,
  tool: string,
  {
    comparer,
    clean,
  }: { readonly comparer: Pick<StructureComparer, "compare">; readonly clean: Clean },
): Promise<CallFault | undefined> {
  const structure = memberAt(result, "structuredContent");
  if (structure === undefined) return undefined;
  const found = await comparer.compare(tool, structure, isError);
  return found && structureFault(found, clean);
}
