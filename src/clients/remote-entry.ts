import { type JsonObject, textAt, isObject } from "#wire/json.ts";
import { commandMembers, type MemberChanges } from "./wrapping/splice.ts";
import type { EntryForm } from "./configured-entries.ts";
import { maskSecrets } from "#kit/text/unsafe-text.ts";
import { hasPlaceholder } from "./launch.ts";
import type { ClientId } from "./ids.ts";

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

type RemoteProgram = {
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

type RemoteHeaders = Pick<MemberChanges, "renamed" | "inner" | "replaced"> & {
  readonly lines: readonly string[];
  readonly members: readonly string[];
};

/**
 * The object of headers becomes that of variables, one for each header, which an argument names as mcp-remote reads
 * it. A client that fills `${…}` in arguments leaves names alone that its environment lacks.
 */
export function remoteHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const own = statedHeaders(entry, rule);
  if ("refusal" in own) return own;
  const passed = passedHeaders(entry, rule.passing);
  if ("refusal" in passed) return passed;
  return {
    renamed: own.renamed,
    inner: own.inner,
    replaced: passed.replaced,
    lines: [...passed.lines, ...own.lines],
    members: [...own.members, ...passed.members],
  };
}

function statedHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const { headers: member, env } = rule;
  const nothing = { renamed: [], inner: [], replaced: [], lines: [], members: [env] };
  if (member === undefined || entry[member] === undefined) return nothing;
  const headers = entry[member];
  if (!isObject(headers)) return { refusal: "option", subject: member };
  const pairs = Object.entries(headers);
  const fault = pairs.map((pair) => headerFault(pair, rule)).find((one) => one !== undefined);
  if (fault !== undefined) return fault;
  const isFree = entry[env] === undefined;
  const isSwapped = rule.ignoresOthers && isEmpty(entry[env]);
  if (pairs.length === 0 && rule.ignoresOthers) return { ...nothing, members: [member, env] };
  if (!isFree && !isSwapped) return { refusal: "option", subject: env };
  const inner = pairs.map(([name], at) => ({ of: member, from: name, to: variableAt(at) }));
  const renamed = [{ from: member, to: env }, ...(isFree ? [] : [{ from: env, to: member }])];
  const lines = inner.map(({ from, to }) => `${from}:\${${to}}`);
  return { renamed, inner, replaced: [], lines, members: [member, env] };
}

/** Has no word for which a client would withhold it, such as TOKEN or AUTH. */
function variableAt(at: number): string {
  return `MCP_HEADER_${at + 1}`;
}

function headerFault(
  [name, value]: readonly [string, unknown],
  { fillsAlike }: RemoteRule,
): RemoteFault | undefined {
  // mcp-remote leaves others out.
  const isUsual = isHeaderName(name) && typeof value === "string";
  if (!isUsual) return { refusal: "header", subject: name };
  return !fillsAlike && hasPlaceholder(value)
    ? { refusal: "placeholder", subject: name }
    : undefined;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const nothingPassed: RemoteHeaders = {
  renamed: [],
  inner: [],
  replaced: [],
  lines: [],
  members: [],
};

function passedHeaders(
  entry: JsonObject,
  passing: PassingMembers | undefined,
): RemoteHeaders | RemoteFault {
  if (passing === undefined) return nothingPassed;
  const { bearer, headers } = passing;
  const token = textAt(entry, bearer);
  const stated = entry[headers];
  // One member comes in the place of one.
  if (token !== undefined && stated !== undefined) return { refusal: "option", subject: headers };
  if (token !== undefined)
    return passedFrom(bearer, [["Authorization", token]], passing, "Bearer ");
  if (stated === undefined) return nothingPassed;
  return passedFrom(headers, Object.entries(isObject(stated) ? stated : {}), passing);
}

function passedFrom(
  from: string,
  named: readonly (readonly [header: string, variable: unknown])[],
  { variables }: PassingMembers,
  before: string = "",
): RemoteHeaders | RemoteFault {
  const wrong = named.find(([name, variable]) => !isHeaderName(name) || !isVariable(variable));
  if (wrong || named.length === 0) return { refusal: "header", subject: wrong?.[0] ?? from };
  const value = named.map(([, variable]) => String(variable));
  return {
    ...nothingPassed,
    replaced: [{ from, to: [{ name: variables, value }] }],
    lines: named.map(([name, variable]) => `${name}:${before}\${${String(variable)}}`),
    members: [from],
  };
}

/** mcp-remote keeps it. JavaScript objects have no own `__proto__`. */
function isHeaderName(name: string): boolean {
  return /^[\w-]+$/.test(name) && name !== "__proto__";
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}

/** Streamable HTTP with SSE as its fallback, or SSE alone. */
type RemoteTransport = "http" | "sse";

export type RemoteRule = {
  readonly urls: Readonly<{ [member: string]: RemoteTransport }>;
  readonly kind: string;
  readonly local: string;
  readonly headers: string | undefined;
  readonly env: string;
  readonly kept: readonly string[];
  readonly passing: PassingMembers | undefined;
  readonly fillsAlike: boolean;
  readonly ignoresOthers: boolean;
};

type PassingMembers = {
  readonly bearer: string;
  readonly headers: string;
  readonly variables: string;
};

export type RemoteFault = {
  readonly refusal: "option" | "placeholder" | "header" | "transport" | UrlFault;
  readonly subject?: string;
};

/** Why mcp-remote cannot get a URL as an argument. */
type UrlFault = "url" | "url_placeholder" | "url_secret";

const keptByMost = [
  "name",
  "description",
  "enabled",
  "disabled",
  "timeout",
  "trust",
  "tools",
  "includeTools",
  "excludeTools",
  "alwaysAllow",
  "autoApprove",
  "disabledTools",
  "enabledTools",
  "alwaysLoad",
];

const common: RemoteRule = {
  urls: { url: "http" },
  kind: "type",
  local: "stdio",
  headers: "headers",
  env: "env",
  kept: [],
  passing: undefined,
  fillsAlike: false,
  ignoresOthers: false,
};

/**
 * Placeholders: Gemini CLI and Qwen Code by their packages, OpenCode and Kilo Code fill the whole file, the others by
 * their documentation. Claude Code is missing: it withholds some variables from headers that it fills in elsewhere.
 */
const rules: { readonly [id in ClientId]?: Partial<RemoteRule> | "none" } = {
  // Its remote servers are not in this file.
  "claude-desktop": "none",
  codex: {
    headers: "http_headers",
    passing: {
      bearer: "bearer_token_env_var",
      headers: "env_http_headers",
      variables: "env_vars",
    },
    kept: [
      "required",
      "startup_timeout_sec",
      "startup_timeout_ms",
      "tool_timeout_sec",
      "enabled_tools",
      "disabled_tools",
      "default_tools_approval_mode",
      "supports_parallel_tool_calls",
    ],
  },
  "vs-code": { kept: ["gallery", "version"], fillsAlike: true },
  cursor: { fillsAlike: true },
  "gemini-cli": { urls: { httpUrl: "http", url: "http" }, fillsAlike: true },
  opencode: { local: "local", env: "environment", fillsAlike: true },
  "qwen-code": { urls: { httpUrl: "http", url: "sse" }, fillsAlike: true },
  goose: {
    urls: { uri: "http" },
    env: "envs",
    kept: ["display_name", "bundled", "available_tools", "env_keys"],
    ignoresOthers: true,
  },
  zed: { kept: ["source"] },
  windsurf: { urls: { serverUrl: "http", url: "http" }, fillsAlike: true },
  "roo-code": { kept: ["watchPaths"], fillsAlike: true },
  "kilo-code": { local: "local", env: "environment", fillsAlike: true },
  // Its headers are in `requestOptions`.
  continue: { headers: undefined },
  antigravity: { urls: { serverUrl: "http", url: "http" } },
  "grok-build": { kept: ["startup_timeout_sec", "tool_timeout_sec"] },
  kimi: { kind: "transport", kept: ["startupTimeoutMs", "toolTimeoutMs"] },
  // Its headers are in `requestInit`.
  "copilot-jetbrains": { headers: undefined },
  pi: { kept: ["requestTimeoutMs"] },
  librechat: {
    kept: ["title", "iconPath", "chatMenu", "startup", "initTimeout", "serverInstructions"],
  },
};

export function remoteRule(id: ClientId): RemoteRule | undefined {
  const rule = rules[id];
  if (rule === "none") return undefined;
  return { ...common, ...rule, kept: [...keptByMost, ...(rule?.kept ?? [])] };
}
