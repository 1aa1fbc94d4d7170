import { describe, expect, test } from "bun:test";
import { type ConfiguredEntry, findEntries } from "#clients/configured-entries.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import {
  type ChangingFile,
  planUnwrapping,
  planWrapping,
} from "#commands/wrap/plan-entry-changes.ts";
import { parseClientText } from "#state/storage/clients/read-settings.ts";
import { isObject } from "#wire/json.ts";

function entries({
  client,
  text,
}: Pick<ChangingFile, "client" | "text">): readonly ConfiguredEntry[] {
  const read = parseClientText(text, clients[client].language);
  if ("fault" in read) throw new Error(`${read.fault}: ${text}`);
  return findEntries(clients[client], read.value);
}

function makeFile(client: ClientId, text: string): ChangingFile {
  return { client, text, language: clients[client].language, notes: [] };
}

const front = (name: string) => ["/opt/mcp-meter", "--server", name, "--"];

function wrapped(file: ChangingFile) {
  const { text, notes, refused } = planWrapping(file, entries(file), { buildFront: front });
  return { file: { ...file, text, notes }, refused: [...refused.values()] };
}

function unwrapped(file: ChangingFile) {
  const { text, notes, keepingMcpRemote } = planUnwrapping(file, entries(file));
  return { text, notes, local: [...keepingMcpRemote].map(({ rawName }) => rawName) };
}

const url = "https://example.com/mcp";

const settings: readonly (readonly [ClientId, string, readonly string[], readonly string[]])[] = [
  [
    "claude-code",
    `{"mcpServers":{"r":{"type":"sse","url":"${url}","headers":{"Authorization":"Bearer x"}}}}`,
    ["--transport", "sse-only", "--header", "Authorization:${MCP_HEADER_1}"],
    ["Bearer x"],
  ],
  [
    "claude-code",
    `{"projects":{"/p":{"mcpServers":{"r":{"type":"http","url":"${url}"}}}}}`,
    [],
    [],
  ],
  [
    "codex",
    `[mcp_servers.r]\nurl = "${url}"\nbearer_token_env_var = "TOKEN"\nhttp_headers = { A = 'b' }\n`,
    ["--header", "Authorization:Bearer ${TOKEN}", "--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "codex",
    `[mcp_servers.r]\r\nurl = '${url}' # u\r\n[mcp_servers.r.http_headers] # h\r\nA = "b"\r\n`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "vs-code",
    `{"inputs":[],"servers":{"r":{"type":"http","url":"${url}","headers":{"A":"\${input:t}"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["${input:t}"],
  ],
  [
    "cursor",
    `{"mcpServers":{"r":{"url":"${url}","headers":{"A":"Bearer \${env:T}"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["Bearer ${env:T}"],
  ],
  [
    "gemini-cli",
    `{"mcpServers":{"r":{"httpUrl":"${url}","headers":{"A":"$T"},"trust":true}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["$T"],
  ],
  [
    "copilot-cli",
    `{"mcpServers":{"r":{"type":"http","url":"${url}","tools":["*"],"headers":{"A":"b"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "opencode",
    `{"mcp":{"r":{"type":"remote","url":"${url}","headers":{"A":"{env:T}"},"enabled":true}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["{env:T}"],
  ],
  ["qwen-code", `{"mcpServers":{"r":{"url":"${url}"}}}`, ["--transport", "sse-only"], []],
  [
    "goose",
    `extensions:\n  r:\n    enabled: true\n    type: streamable_http\n    name: r\n    uri: ${url}\n    envs: {}\n    env_keys: []\n    headers:\n      A: b\n    timeout: 300\n    bundled: null\n`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "zed",
    `{"context_servers":{"r":{"source":"custom","url":"${url}","headers":{"A":"b"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "windsurf",
    `{"mcpServers":{"r":{"serverUrl":"${url}","headers":{"A":"b"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  [
    "cline",
    `{"mcpServers":{"r":{"url":"${url}","type":"streamableHttp","disabled":false,"autoApprove":[]}}}`,
    [],
    [],
  ],
  [
    "roo-code",
    `{"mcpServers":{"r":{"type":"streamable-http","url":"${url}","alwaysAllow":["x"]}}}`,
    [],
    [],
  ],
  ["kilo-code", `{"mcp":{"r":{"type":"remote","url":"${url}"}}}`, [], []],
  [
    "continue",
    `mcpServers:\n  - name: r\n    type: sse\n    url: ${url}\n`,
    ["--transport", "sse-only"],
    [],
  ],
  ["antigravity", `{"mcpServers":{"r":{"serverUrl":"${url}"}}}`, [], []],
  [
    "grok-build",
    `[mcp_servers.r]\nurl = "${url}"\nheaders = { A = "b" }\n`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  ["kiro", `{"mcpServers":{"r":{"url":"${url}","disabledTools":[]}}}`, [], []],
  [
    "kimi",
    `{"mcpServers":{"r":{"transport":"http","url":"${url}","headers":{"A":"b"}}}}`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
  ["copilot-jetbrains", `{"servers":{"r":{"url":"${url}"}}}`, [], []],
  ["junie", `{"mcpServers":{"r":{"url":"${url}"}}}`, [], []],
  ["mastra", `{"mcpServers":{"r":{"url":"${url}"}}}`, [], []],
  ["pi", `{"mcpServers":{"r":{"url":"${url}","requestTimeoutMs":1}}}`, [], []],
  [
    "librechat",
    `mcpServers:\n  r:\n    type: streamable-http\n    url: ${url}\n    headers: {A: b}\n    iconPath: x\n`,
    ["--header", "A:${MCP_HEADER_1}"],
    ["b"],
  ],
];

describe.each(settings)("%s: %s", (client, text, options, values) => {
  const { file, refused } = wrapped(makeFile(client, text));

  test("starts mcp-remote behind mcp-meter, with its headers in variables", () => {
    expect(refused).toEqual([]);
    const [entry] = entries(file);
    expect(entry?.words).toEqual([
      "/opt/mcp-meter",
      "--server",
      "r",
      "--",
      "npx",
      "-y",
      "mcp-remote@0.15.1",
      url,
      ...options,
    ]);
    const { env, environment, envs } = entry?.entry ?? {};
    const found = [env, environment, envs].find(isObject) ?? {};
    expect(Object.values(found)).toEqual([...values]);
    const members = Object.keys(entry?.entry ?? {});
    for (const gone of ["url", "uri", "httpUrl", "serverUrl", "http_headers"])
      expect(members).not.toContain(gone);
  });

  test("comes back byte for byte, also after changes elsewhere", () => {
    expect(unwrapped(file)).toEqual({ text, notes: [], local: [] });
    const mark = file.language === "json" ? "\n// later\n" : "# later\n";
    expect(unwrapped({ ...file, text: file.text + mark }).text).toBe(text + mark);
  });

  test("wrapped twice is wrapped once", () => {
    expect(entries(file).every(({ form }) => form !== undefined)).toBe(true);
  });
});

const before = `{"mcpServers":{"r":{"type":"http","url":"${url}","headers":{"A":"old"}},"s":{"command":"x","args":[]}}}`;

describe("a file that was rewritten meanwhile", () => {
  const { file } = wrapped(makeFile("claude-code", before));
  const rewritten = (change: (entry: Record<string, unknown>) => object): string => {
    const value: unknown = JSON.parse(file.text);
    const servers = isObject(value) && isObject(value["mcpServers"]) ? value["mcpServers"] : {};
    const { r, ...others } = servers;
    return JSON.stringify({ mcpServers: { ...others, r: change({ ...Object(r) }) } }, null, 2);
  };
  const back = (text: string): unknown => {
    const { text: after, local } = unwrapped({ ...file, text });
    return { ...Object(JSON.parse(after)), local };
  };
  const old = { type: "http", url, headers: { A: "old" } };
  const s = { command: "x", args: [] };

  test("gets its old members back", () => {
    expect(back(rewritten((entry) => entry))).toEqual({ mcpServers: { s, r: old }, local: [] });
  });

  test("in any order, with a changed header value and other members", () => {
    const text = rewritten(({ command, args, type }) => {
      return { args, env: { MCP_HEADER_1: "new" }, timeout: 1, type, command };
    });
    expect(back(text)).toEqual({
      mcpServers: { s, r: { ...old, headers: { A: "new" }, timeout: 1 } },
      local: [],
    });
  });

  test("with options of run that a person added", () => {
    const text = rewritten((entry) => ({
      ...entry,
      args: ["--annotate", ...(Array.isArray(entry["args"]) ? entry["args"] : [])],
    }));
    expect(back(text)).toEqual({ mcpServers: { s, r: old }, local: [] });
  });

  test.each<readonly [string, (entry: Record<string, unknown>) => object]>([
    [
      "another URL",
      (entry) => ({
        ...entry,
        args: (Array.isArray(entry["args"]) ? entry["args"] : []).map((word) =>
          word === url ? "https://other.org" : word,
        ),
      }),
    ],
    ["another variable", (entry) => ({ ...entry, env: { ...Object(entry["env"]), MORE: "x" } })],
    ["no variables", ({ command, args }) => ({ command, args })],
  ])("and stays an entry of mcp-remote with %s", (_, change) => {
    const text = rewritten(change);
    const { text: after, local } = unwrapped({ ...file, text });
    expect(local).toEqual(["r"]);
    const words = entries({ client: "claude-code", text: after }).find(
      ({ rawName }) => rawName === "r",
    )?.words;
    expect(words?.slice(0, 3)).toEqual(["npx", "-y", "mcp-remote@0.15.1"]);
  });
});

test("the member for programs that a client added is removed", () => {
  const { file } = wrapped(makeFile("cursor", `{"mcpServers":{"r":{"url":"${url}"}}}`));
  const text = file.text.replace('"command"', '"type":"stdio","command"');
  expect(unwrapped({ ...file, text }).text).toBe(`{"mcpServers":{"r":{"url":"${url}"}}}`);
});

test("without notes, an entry of mcp-remote stays one, and is reported", () => {
  const { file } = wrapped(makeFile("cursor", `{"mcpServers":{"r":{"url":"${url}"}}}`));
  const { text, local } = unwrapped({ ...file, notes: [] });
  expect([JSON.parse(text), local]).toEqual([
    { mcpServers: { r: { command: "npx", args: ["-y", "mcp-remote@0.15.1", url] } } },
    ["r"],
  ]);
});

test("notes that do not match leave an entry of mcp-remote, never other text", () => {
  const { file } = wrapped(makeFile("cursor", `{"mcpServers":{"r":{"url":"${url}"}}}`));
  const broken = file.notes.map((note) => ({
    ...note,
    texts: { ...note.texts, replaced: [{ from: ["command", "args"], text: '"url": {' }] },
  }));
  const { text, local } = unwrapped({ ...file, notes: broken });
  expect(local).toEqual(["r"]);
  expect(JSON.parse(text)).toMatchObject({ mcpServers: { r: { command: "npx" } } });
});

test("a note is dropped when its entry has become a program and is wrapped", () => {
  const { file } = wrapped(makeFile("cursor", `{"mcpServers":{"r":{"url":"${url}"}}}`));
  const replaced = wrapped({ ...file, text: '{"mcpServers":{"r":{"command":"x"}}}' });
  expect(replaced.file.notes).toEqual([]);
});

function named(file: ChangingFile, name: string): readonly ConfiguredEntry[] {
  return entries(file).filter(({ rawName }) => rawName === name);
}

function wrapOne(file: ChangingFile, name: string): ChangingFile {
  const { text: after, notes } = planWrapping(file, named(file, name), { buildFront: front });
  return { ...file, text: after, notes };
}

function swap(file: ChangingFile): ChangingFile {
  const [head = "", ...parts] = file.text.split(/(?=  - name)/);
  return { ...file, text: head + parts.toReversed().join("") };
}

describe("in a list, an entry that moved", () => {
  const [loc, rem] = [
    "  - name: loc\n    command: node\n    args: [a.js]\n",
    `  - name: rem\n    url: ${url}\n`,
  ];
  const text = `mcpServers:\n${loc}${rem}`;
  const moved = `mcpServers:\n${rem}${loc}`;

  test("keeps its note if another entry is wrapped in its former place", () => {
    const file = wrapOne(swap(wrapOne(makeFile("continue", text), "rem")), "loc");
    expect(unwrapped(file)).toEqual({ text: moved, notes: [], local: [] });
  });

  test("keeps its note if another entry is unwrapped in its former place", () => {
    const file = swap(wrapped(makeFile("continue", text)).file);
    const { text: after, notes, keepingMcpRemote } = planUnwrapping(file, named(file, "loc"));
    expect([...keepingMcpRemote]).toEqual([]);
    expect(unwrapped({ ...file, text: after, notes }).text).toBe(moved);
  });

  test("has one note if it was restored by hand and wrapped again", () => {
    const { notes } = wrapOne(makeFile("continue", text), "rem");
    expect(wrapOne({ ...makeFile("continue", moved), notes }, "rem").notes).toHaveLength(1);
  });
});

test("a note stays when only the options of its entry change", () => {
  const { file } = wrapped(makeFile("cursor", `{"mcpServers":{"r":{"url":"${url}"}}}`));
  const text = file.text.replace("/opt/mcp-meter", "mcp-meter");
  const task = { buildFront: front, flags: ["--budget", "5k"] };
  const changed = planWrapping({ ...file, text }, entries({ ...file, text }), task);
  expect(changed.edits).toHaveLength(1);
  expect(changed.notes).toEqual(file.notes);
});

test("notes about other entries stay", () => {
  const text = `{"mcpServers":{"a":{"url":"${url}"},"b":{"url":"${url}"}}}`;
  const { file } = wrapped(makeFile("cursor", text));
  const only = entries(file).filter(({ rawName }) => rawName === "a");
  const { text: after, notes } = planUnwrapping(file, only);
  expect(notes.map(({ path }) => path)).toEqual([["mcpServers", "b"]]);
  expect(unwrapped({ ...file, text: after, notes }).text).toBe(text);
});

test.each<readonly [ClientId, string, object]>([
  ["claude-desktop", `{"mcpServers":{"r":{"url":"${url}"}}}`, { refusal: "remote_client" }],
  [
    "cursor",
    `{"mcpServers":{"r":{"url":"${url}","auth":{}}}}`,
    { refusal: "remote_option", subject: "auth" },
  ],
  [
    "continue",
    `mcpServers:\n  - name: r\n    url: ${url}\n    requestOptions: {headers: {A: b}}\n`,
    { refusal: "remote_option", subject: "requestOptions" },
  ],
  [
    "codex",
    `[mcp_servers.r]\nurl = "${url}"\n[mcp_servers.r.env_http_headers]\nA = "B"\n`,
    { refusal: "layout" },
  ],
  [
    "goose",
    `x: &x b\nextensions:\n  r:\n    type: sse\n    uri: ${url}\n    headers: {A: *x}\n`,
    { refusal: "special_syntax" },
  ],
])("%s: %s is refused", (client, text, fault) => {
  const { file, refused } = wrapped(makeFile(client, text));
  expect([file.text, refused]).toEqual([text, [fault as never]]);
});
