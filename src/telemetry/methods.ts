import { otherName } from "./tool-names.ts";

/** Methods by which a client asks a server, of both eras. */
const clientMethods: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/list",
  "tasks/result",
  "tasks/update",
  "tools/call",
  "tools/list",
]);

/** Methods by which a server asks its client: operations of the client. */
const serverMethods: ReadonlySet<string> = new Set([
  "elicitation/create",
  "roots/list",
  "sampling/createMessage",
]);

/** The method as a label has it: a known one, or `(other)`. */
export function methodLabel(method: string): string {
  return clientMethods.has(method) || serverMethods.has(method) ? method : otherName;
}

/** False for a method by which a server asks its client. */
export function isServerOperation(method: string): boolean {
  return !serverMethods.has(method);
}
