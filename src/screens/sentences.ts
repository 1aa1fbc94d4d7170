import { formatQuantity } from "#kit/errors.ts";

export function describePagesRead(requests: number, bytes: string): string {
  return `${formatQuantity(requests, "request")} for the server's pages, ${bytes}; no model reads them`;
}
