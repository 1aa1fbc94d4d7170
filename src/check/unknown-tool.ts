const methodNotFound = -32_601;

export type CallError = { readonly code: number | null; readonly text: string };

/**
 * The error says only that the tool does not exist, so it is not the tool's. The TypeScript SDKs say `Tool NAME not
 * found` or `Tool NAME disabled`, as a result with `isError` (1.x) or with code -32602 (2.x), which is also that of
 * wrong arguments; the Python SDK says `Unknown tool: NAME`.
 */
export function deniesTool({ code, text }: CallError, tool: string): boolean {
  if (code === methodNotFound) return true;
  const named = text.replace(prefix, "");
  const rest = named.replace(new RegExp(`(?<![\\w-])${RegExp.escape(tool)}(?![\\w-])`), " ");
  // Without the name, a sentence that continues may be about a tool of another kind: `Unknown tool: hammer`.
  const isNamed = rest !== named;
  const words = rest
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
  return isNamed ? denial.test(words) : denial.exec(words)?.[0] === words;
}

const prefix = /^(?:MCP error -?\d+: |(?:\w*Error|error): )*/;

const denial =
  /^(?:(?:unknown|invalid|unsupported|no such|unrecognized) tool(?: name)?|tool (?:name )?(?:is )?(?:not (?:found|available|known|registered|supported)|unknown|disabled|does not exist|doesn t exist))\b/;
