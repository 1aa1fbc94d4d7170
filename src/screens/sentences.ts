import { pluralize } from "#kit/text/numbers.ts";

export function describePagesRead(requests: number, bytes: string): string {
  return `${pluralize(requests, "request")} for the server's pages, ${bytes}; no model reads them`;
}
