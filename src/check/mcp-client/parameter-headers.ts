import { isHeaderName } from "#wire/endpoint/own-header.ts";
import { schemaLevelsMax } from "#kit/limits.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";

/** In the era of 2026 a schema may repeat arguments in headers by `x-mcp-header`: texts, numbers and truth values only. */
export function parameterHeaders(
  inputSchema: unknown,
  args: unknown,
  levels: number = schemaLevelsMax,
): Readonly<Record<string, string>> {
  const properties = memberAt(inputSchema, "properties");
  if (!isObject(properties) || levels === 0) return {};
  const headers = Object.entries(properties).map(([name, schema]) => {
    const value = isObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
    const header = textAt(schema, "x-mcp-header");
    const text = textOf(value);
    const isSent = header !== undefined && isHeaderName(header) && text !== undefined;
    const own = isSent ? { [`Mcp-Param-${header}`]: headerValue(text) } : {};
    return { ...own, ...parameterHeaders(schema, value, levels - 1) };
  });
  return Object.assign({}, ...headers);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** Encoded unless a header transmits it unchanged. */
function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
