import type { Reader } from "#tokens/cost/reader.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, memberAt } from "#wire/json.ts";
import type { Call } from "./call.ts";

/**
 * The arguments by which a call is compared with others, as canonical JSON: without those that the client adds to every
 * tool for itself. An argument of that name that the tool declares in its input schema is the tool's own.
 */
export function comparedArguments(
  { method, asked: { arguments: json, tool } }: Pick<Call, "method" | "asked">,
  { profile, tools }: Pick<Reader, "profile" | "tools">,
): string | undefined {
  if (json === undefined || tool === null || method !== "tools/call") return json;
  if (profile.ownArguments.length === 0) return json;
  const declared = memberAt(tools?.find(tool), "inputSchema", "properties");
  const added = profile.ownArguments.filter((name) => memberAt(declared, name) === undefined);
  return withoutMembers(json, added);
}

function withoutMembers(json: string, names: readonly string[]): string {
  if (!names.some((name) => json.includes(JSON.stringify(name)))) return json;
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return json;
  const rest = Object.entries(value).filter(([name]) => !names.includes(name));
  return canonicalJson(Object.fromEntries(rest));
}
