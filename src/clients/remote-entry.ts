import { type JsonObject, textAt } from "#wire/json.ts";
import { commandMembers } from "./wrapping/command-members.ts";
import type { MemberChanges } from "./wrapping/conversion.ts";
import type { EntryForm } from "./client-settings.ts";
import { remoteHeaders } from "./remote-headers.ts";
import type { RemoteFault, RemoteRule } from "./remote-rules.ts";
import { remoteTarget, urlFault } from "./remote-target.ts";

/** Pinned to the version whose command line is known. */
export const mcpRemote = "mcp-remote@0.15.1";

export type RemoteProgram = {
  readonly changes: MemberChanges;
  readonly words: readonly string[];
};

/** `front` comes before mcp-remote. Header values stay where they are: the object of headers becomes that of variables, and the arguments name these. */
export function remoteProgram(
  entry: JsonObject,
  rule: RemoteRule,
  { front, form }: { readonly front: readonly string[]; readonly form: EntryForm },
): RemoteProgram | RemoteFault {
  const target = remoteTarget(entry, rule);
  if ("refusal" in target) return target;
  const { member, url, transport } = target;
  const headers = remoteHeaders(entry, rule);
  if ("refusal" in headers) return headers;
  const fault = urlFault(url);
  if (fault !== undefined) return { refusal: fault };
  const known = new Set([member, rule.kind, ...headers.members, ...rule.kept]);
  const option = Object.keys(entry).find((name) => !known.has(name));
  if (option !== undefined) return { refusal: "option", subject: option };
  const words = [
    "npx",
    "-y",
    mcpRemote,
    url,
    ...(transport === "sse" ? ["--transport", "sse-only"] : []),
    ...(isPlain(url) ? ["--allow-http"] : []),
    ...headers.lines.flatMap((line) => ["--header", line]),
  ];
  const { renamed, inner, replaced } = headers;
  const command = { from: member, to: commandMembers(form, [...front, ...words]) };
  const values = textAt(entry, rule.kind) !== undefined ? [{ of: rule.kind, to: rule.local }] : [];
  return { changes: { renamed, inner, replaced: [command, ...replaced], values }, words };
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}
