import { counted } from "#kit/errors.ts";

export function describePagesRead(requests: number, bytes: string): string {
  return `${counted(requests, "request")} of the server's pages, ${bytes}; no model reads them`;
}
