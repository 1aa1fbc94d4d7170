/** JSON-RPC error code of a server that does not have a method. */
const methodNotFound = -32_601;

/** An error of a call: the code of a JSON-RPC error, and its message or the text of a result with `isError`. */
export type CallError = { readonly code: number | null; readonly text: string };

/**
 * True for an error that says of the called tool only that it does not exist, which is not an error of the tool. The
 * TypeScript SDKs say `Tool NAME not found` or `Tool NAME disabled`, as a result with `isError` (1.x) or as a JSON-RPC
 * error with code -32602 (2.x); the Python SDK says `Unknown tool: NAME`. The code is also that of arguments that do
 * not fit.
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

/** The words that SDKs put before the message of an error. */
const prefix = /^(?:MCP error -?\d+: |(?:\w*Error|error): )*/;

const denial =
  /^(?:(?:unknown|invalid|unsupported|no such|unrecognized) tool(?: name)?|tool (?:name )?(?:is )?(?:not (?:found|available|known|registered|supported)|unknown|disabled|does not exist|doesn t exist))\b/;
