import { escapeUnsafe } from "#text/unsafe-text.ts";

/** An answer that did not come in time. */
export class Late extends Error {}

const messageCharactersMax = 200;

/** Why a server could not be reached, as the middle of a sentence: by how it ended, else by the error. */
export function failureOf(
  error: unknown,
  server: { readonly exit: string | undefined; readonly foreignLines: number },
  timeoutMs: number,
): string {
  const { exit, foreignLines: lines } = server;
  const garbage = lines === 0 ? "" : ` and wrote ${lines} lines that are no JSON-RPC`;
  if (exit !== undefined) return `it ${exit} before it answered${garbage}`;
  if (error instanceof Late) {
    return `it did not answer within ${Math.round(timeoutMs / 100) / 10} s${garbage}`;
  }
  return codeOfError(error) === "CONNECTION_CLOSED"
    ? `it closed its stdout${garbage}`
    : `it answered with "${messageOf(error)}"${garbage}`;
}

/** An error's message for one line: servers and the SDK write long ones. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return escapeUnsafe((text.split("\n", 1)[0] ?? "").slice(0, messageCharactersMax));
}

/** The code of an SDK's or a JSON-RPC error, if it has one. */
export function codeOfError(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}
