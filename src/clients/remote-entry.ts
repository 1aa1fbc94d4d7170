import { type JsonObject, textAt } from "#wire/json.ts";
import { commandMembers } from "./wrapping/command-members.ts";
import type { MemberChanges } from "./wrapping/conversion.ts";
import type { EntryForm } from "./client-settings.ts";
import { remoteHeaders } from "./remote-headers.ts";
import type { RemoteFault, RemoteRule, RemoteTransport, UrlFault } from "./remote-rules.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { hasPlaceholder } from "./placeholders.ts";

type RemoteTarget = {
  readonly member: string;
  readonly url: string;
  readonly transport: RemoteTransport;
};

export function remoteTarget(entry: JsonObject, rule: RemoteRule): RemoteTarget | RemoteFault {
  const [member, usual] =
    Object.entries(rule.urls).find(([name]) => textAt(entry, name) !== undefined) ?? [];
  if (member === undefined || usual === undefined) return { refusal: "url" };
  const transport = transportIn(entry, rule, usual);
  if (transport === undefined) return { refusal: "transport" };
  return { member, url: textAt(entry, member) ?? "", transport };
}

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

export function urlFault(url: string): UrlFault | undefined {
  if (hasPlaceholder(url)) return "url_placeholder";
  const parsed = URL.parse(url);
  // The parser would repair some characters, which mcp-remote and a shell would not.
  const isUsual = /^https?:\/\/[^\s"'`<>\\^|]+$/i.test(url);
  if (parsed === null || !isUsual) return "url";
  const isOpen = parsed.username === "" && parsed.password === "" && maskSecrets(url) === url;
  const parts = [...parsed.pathname.split("/"), ...parsed.searchParams.values()];
  return isOpen && !parts.some(mayBeSecret) ? undefined : "url_secret";
}

function mayBeSecret(part: string): boolean {
  return /^[\w~+=-]{20,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part);
}

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
