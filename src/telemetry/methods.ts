import { otherName } from "./tool-names.ts";

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

const serverMethods: ReadonlySet<string> = new Set([
  "elicitation/create",
  "roots/list",
  "sampling/createMessage",
]);

export function methodLabel(method: string): string {
  return clientMethods.has(method) || serverMethods.has(method) ? method : otherName;
}

export function isServerOperation(method: string): boolean {
  return !serverMethods.has(method);
}
