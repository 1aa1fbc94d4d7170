import type { ClientId } from "./ids.ts";

/** Streamable HTTP with SSE as its fallback, or SSE alone. */
export type RemoteTransport = "http" | "sse";

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

export type PassingMembers = {
  readonly bearer: string;
  readonly headers: string;
  readonly variables: string;
};

export type RemoteFault = {
  readonly refusal: "option" | "placeholder" | "header" | "transport" | UrlFault;
  readonly subject?: string;
};

/** Why mcp-remote cannot get a URL as an argument. */
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
