import { maskSecrets } from "#text/mask-secrets.ts";
import { type JsonObject, textAt } from "#wire/json.ts";
import { commandMembers } from "#wrapping/command-members.ts";
import type { MemberChanges } from "#wrapping/conversion.ts";
import type { EntryForm } from "./client-settings.ts";
import { hasPlaceholder } from "./placeholders.ts";
import { remoteHeaders } from "./remote-headers.ts";
import type { RemoteFault, RemoteRule, RemoteTransport, UrlFault } from "./remote-rules.ts";

/** The package that connects to a remote server, in the version whose command line is known. */
export const mcpRemote = "mcp-remote@0.15.1";

/** A remote entry as a program. */
export type RemoteProgram = {
  readonly changes: MemberChanges;
  /** The words that start mcp-remote for it; no value of a header is among them. */
  readonly words: readonly string[];
};

/**
 * The entry of a remote server as one of mcp-remote, behind the words `front`. Values of headers stay where they are: the object of headers becomes that of
 * variables, and the arguments name these.
 */
export function remoteProgram(
  entry: JsonObject,
  rule: RemoteRule,
  { front, form }: { readonly front: readonly string[]; readonly form: EntryForm },
): RemoteProgram | RemoteFault {
  const [member, usual] = Object.entries(rule.urls).find(([name]) => isText(entry, name)) ?? [];
  if (member === undefined || usual === undefined) return { refusal: "url" };
  const url = textAt(entry, member) ?? "";
  const transport = transportIn(entry, rule, usual);
  if (transport === undefined) return { refusal: "transport" };
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
  const values = isText(entry, rule.kind) ? [{ of: rule.kind, to: rule.local }] : [];
  return { changes: { renamed, inner, replaced: [command, ...replaced], values }, words };
}

/** Words of clients for transports. OpenCode and Kilo Code try both. */
const transports: Readonly<{ [word: string]: RemoteTransport }> = {
  http: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamableHttp: "http",
  remote: "http",
  sse: "sse",
};

function transportIn(
  entry: JsonObject,
  { kind }: RemoteRule,
  usual: RemoteTransport,
): RemoteTransport | undefined {
  if (entry[kind] === undefined) return usual;
  const word = textAt(entry, kind) ?? "";
  return Object.hasOwn(transports, word) ? transports[word] : undefined;
}

function isText(entry: JsonObject, name: string): boolean {
  return textAt(entry, name) !== undefined;
}

function urlFault(url: string): UrlFault | undefined {
  if (hasPlaceholder(url)) return "url_placeholder";
  const parsed = URL.parse(url);
  // The parser would repair some characters, which mcp-remote and a shell would not.
  const isUsual = /^https?:\/\/[^\s"'`<>\\^|]+$/i.test(url);
  if (parsed === null || !isUsual) return "url";
  const isOpen = parsed.username === "" && parsed.password === "" && maskSecrets(url) === url;
  const parts = [...parsed.pathname.split("/"), ...parsed.searchParams.values()];
  return isOpen && !parts.some(mayBeSecret) ? undefined : "url_secret";
}

/** A long word of letters and digits, as keys are. */
function mayBeSecret(part: string): boolean {
  return /^[\w~+=-]{20,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part);
}

/** mcp-remote connects to these without an option. */
function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}
