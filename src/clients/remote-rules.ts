import type { ClientId } from "./ids.ts";

/** How mcp-remote connects: Streamable HTTP with SSE as its fallback, or SSE alone. */
export type RemoteTransport = "http" | "sse";

/** How a client states a remote server, and how it states a program in its place. */
export type RemoteRule = {
  /** Members with the URL, and the transport that each stands for where no other member says so. */
  readonly urls: Readonly<{ [member: string]: RemoteTransport }>;
  /** The member that names the transport. */
  readonly kind: string;
  /** Its word for a program. */
  readonly local: string;
  /** The member with the headers as an object; undefined where headers are elsewhere. */
  readonly headers: string | undefined;
  /** The member with the variables of a program. */
  readonly env: string;
  /** Members that mean the same in an entry for a program. */
  readonly kept: readonly string[];
  /** Members by which headers have the values of variables that the client has itself. */
  readonly passing: PassingMembers | undefined;
  /** True where placeholders in a variable of a program are filled as those in a header are. */
  readonly fillsAlike: boolean;
  /** True where members of the other kind of server are there and do nothing. */
  readonly ignoresOthers: boolean;
};

/** Names of members by which a client passes its own variables on. */
export type PassingMembers = {
  /** Names the variable with the token of `Authorization: Bearer`. */
  readonly bearer: string;
  /** Names a variable for each header. */
  readonly headers: string;
  /** A list of the variables that a program gets. */
  readonly variables: string;
};

/** Why a remote entry is not put behind mcp-meter. */
export type RemoteFault = {
  readonly refusal: "option" | "placeholder" | "header" | "transport" | "sse" | "oauth" | UrlFault;
  /** The name of the member that it is about. */
  readonly subject?: string;
};

/** Why mcp-remote and `serve` cannot get a URL as an argument. */
export type UrlFault = "url" | "url_placeholder" | "url_secret";

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
 * The rules that differ from those of most clients. Placeholders: Gemini CLI and Qwen Code by their packages, OpenCode and Kilo Code fill the whole text of a
 * file, the others by their documentation. Claude Code is not among them: it withholds some variables from headers that it fills in elsewhere.
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

/** The rule of a client; undefined for one that reads no remote servers from these files. */
export function remoteRule(id: ClientId): RemoteRule | undefined {
  const rule = rules[id];
  if (rule === "none") return undefined;
  return { ...common, ...rule, kept: [...keptByMost, ...(rule?.kept ?? [])] };
}
