import { answerTo, type Asked, type Form, head, jsonHead, whole } from "./over-budget-answers.ts";
import { type RawAnswer, RawHttpServer, type RawRequest } from "./raw-http-server.ts";

export type Fallback = (
  request: RawRequest,
  write: (text: string) => void,
) => RawAnswer | undefined;

const accepted = head("202 Accepted");
const serverInfo = { name: "exceeding", version: "1" };
const capabilities = { tools: {} };

export function startOverBudgetServer(
  forms: Readonly<Record<string, Form>>,
  otherwise: Fallback = () => undefined,
): Promise<RawHttpServer> {
  let sessions = 0;
  const tools = Object.keys(forms).map((name) => ({ name, inputSchema: { type: "object" } }));
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo },
    "server/discover": {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    },
    "tools/list": { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" },
  };
  return RawHttpServer.start((request, write) => {
    const other = otherwise(request, write);
    if (other) return other;
    const { method, message } = request;
    if (method !== "POST") return whole(head(method === "GET" ? "405 No" : "200 OK"));
    const id = message?.["id"];
    if (!message || (typeof id !== "number" && typeof id !== "string")) return whole(accepted);
    const asked = message["method"];
    if (asked === "tools/call") return formOf(message, forms)({ id, request });
    const result = results[String(asked)] ?? {};
    sessions += asked === "initialize" ? 1 : 0;
    const named =
      asked === "initialize"
        ? head("200 OK", "Content-Type: application/json", `Mcp-Session-Id: session-${sessions}`)
        : jsonHead;
    return whole(named, JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
}

function formOf(message: object, forms: Readonly<Record<string, Form>>): Form {
  const params: unknown = "params" in message ? message.params : undefined;
  const name = typeof params === "object" && params && "name" in params ? String(params.name) : "";
  return forms[name] ?? (({ id }: Asked) => whole(jsonHead, answerTo(id, "x")));
}
