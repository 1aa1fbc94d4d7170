import { expect, test } from "bun:test";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { remoteRule } from "#clients/remote-rules.ts";
import { servedEntry } from "#clients/served-entry.ts";
import type { JsonObject } from "#wire/json.ts";

function entryOf(client: ClientId, entry: JsonObject) {
  const rule = remoteRule(client);
  if (rule === undefined) throw new Error(client);
  const found = servedEntry(entry, rule);
  return "refusal" in found ? found : [found.url, found.changesTo("http://127.0.0.1:1/mcp")];
}

const url = "https://example.com/mcp";

test("its URL alone changes, in the member of each client", () => {
  for (const id of clientIds) {
    const [member = "", usual] = Object.entries(remoteRule(id)?.urls ?? {})[0] ?? [];
    if (usual !== "http") continue;
    const values = [{ of: member, to: "http://127.0.0.1:1/mcp" }];
    expect([id, entryOf(id, { [member]: url, headers: { A: "secret" }, any: 1 })]).toEqual([
      id,
      [url, { renamed: [], inner: [], replaced: [], values }],
    ]);
  }
});

test.each<readonly [ClientId, JsonObject, object]>([
  ["claude-code", { type: "sse", url }, { refusal: "sse" }],
  ["qwen-code", { url }, { refusal: "sse" }],
  ["claude-code", { type: "ws", url }, { refusal: "transport" }],
  ["claude-code", { url, oauth: { clientId: "x" } }, { refusal: "oauth", subject: "oauth" }],
  ["cursor", { url, auth: {} }, { refusal: "oauth", subject: "auth" }],
  [
    "gemini-cli",
    { httpUrl: url, authProviderType: "google_credentials" },
    { refusal: "oauth", subject: "authProviderType" },
  ],
  ["codex", { url, oauth_resource: url }, { refusal: "oauth", subject: "oauth_resource" }],
  ["codex", { url, scopes: [] }, { refusal: "oauth", subject: "scopes" }],
  ["librechat", { url, requiresOAuth: true }, { refusal: "oauth", subject: "requiresOAuth" }],
  ["cursor", { url: "https://${HOST}/mcp" }, { refusal: "url_placeholder" }],
  ["cursor", { url: `${url}?api_key=x` }, { refusal: "url_secret" }],
  ["cursor", { url: "https://me:word@example.com" }, { refusal: "url_secret" }],
  ["cursor", { command: "x" }, { refusal: "url" }],
])("%s: %j is refused", (client, entry, fault) => {
  expect(entryOf(client, entry)).toEqual(fault as never);
});

test("an option that turns OAuth off is none", () => {
  expect(entryOf("opencode", { url, oauth: false })).toBeArray();
  expect(entryOf("codex", { url, bearer_token_env_var: "T", env_http_headers: {} })).toBeArray();
});
