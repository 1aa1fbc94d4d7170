// A remote server at an address of `serve`: its client keeps the headers, and a real SDK client reaches the server by the changed entry.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entriesIn } from "#clients/entries-in.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { sha256 } from "#os/sha256.ts";
import { readClientFile } from "#storage/clients/client-file.ts";
import { guardedServer } from "../support/guarded-server.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { Started } from "../support/started.ts";
import { filesBelow, type Home, makeHome, recordsIn, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const secret = "Bearer top-5ecret";

/** Settings with a remote server that demands a header. */
const settings: readonly (readonly [ClientId, string, (url: string) => string])[] = [
  [
    "claude-code",
    ".claude.json",
    (url) =>
      `{"x":1.0,"mcpServers":{"r":{"type":"http","url":"${url}","headers":{"Authorization":"${secret}"}}}}`,
  ],
  [
    "codex",
    ".codex/config.toml",
    (url) =>
      `# mine\r\n[mcp_servers.r]\r\nurl = '${url}' # u\r\n\r\n[mcp_servers.r.http_headers]\r\nAuthorization = '${secret}'\r\n`,
  ],
  [
    "goose",
    "config/goose/config.yaml",
    (url) =>
      `extensions:\n  r: # r\n    type: streamable_http\n    name: r\n    uri: ${url} # u\n    headers:\n      Authorization: ${secret} # h\n`,
  ],
];

const wrapArgs = ["wrap", "--remote=serve", "--all", "--yes", "--json"];

test.each(settings)("%s in %s", async (client, name, textFor) => {
  await using server = await guardedServer("Authorization", secret);
  const home = makeHome();
  try {
    const file = write(home, name, textFor(server.url));
    const before = sha256(readFileSync(file));
    const wrapped = await runMeter(home, wrapArgs);
    expect([wrapped.status, wrapped.stderr]).toEqual([0, ""]);
    const report = JSON.parse(wrapped.stdout);
    const validate = commandSchema("wrap");
    expect([validate(report), validate.errors]).toEqual([true, null]);
    const words: readonly string[] = report.servers[0].serve;
    expect(words.join(" ")).not.toContain("5ecret");
    const broken = await runMeter(home, ["doctor"]);
    expect([broken.status, broken.stdout]).toEqual([
      1,
      expect.stringContaining(`cannot reach r: nothing listens`),
    ]);
    // The path of the executable may be quoted.
    expect(broken.stdout).toContain(words.slice(1).join(" "));
    using serving = new Started(words, home.env);
    const { url, headers } = entryOf(client, file);
    expect(await serving.firstLine()).toBe(url.href);
    expect((await runMeter(home, ["doctor"])).stdout).toContain(`r of ${clients[client].name} is`);
    const caller = new Client({ name: "sdk-v1-host", version: "1.0.0" });
    await caller.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const answer = await caller.callTool({ name: "echo", arguments: { message: "far" } });
    expect(JSON.stringify(answer)).toContain("Echo: far");
    await caller.close();
    expect(server.requests.rejected).toBe(0);
    expect(await serving.end()).toBe(0);
    const records = home.logs().find((path) => path.includes("/sessions/")) ?? "";
    const calls = recordsIn(readFileSync(records, "utf8")).filter(({ type }) => type === "call");
    expect(calls).toMatchObject([{ tool: "echo" }]);
    expect((await runMeter(home, ["report", "--by", "server"])).stdout).toMatch(/^r +/m);
    // A second wrap changes nothing; after an unwrap, it gives the same address.
    expect(JSON.parse((await runMeter(home, wrapArgs)).stdout).servers).toMatchObject([
      { state: "behind", is_remote: true, serve: words },
    ]);
    expect((await runMeter(home, ["unwrap", "--all", "--yes"])).status).toBe(0);
    expect(sha256(readFileSync(file))).toBe(before);
    const state = join(home.path, "state", "mcp-meter");
    const rest = filesBelow(state).map((path) => dirname(path).slice(state.length + 1));
    expect(rest.filter((folder) => ["backups", "remotes"].includes(folder))).toEqual([]);
    expect(JSON.parse((await runMeter(home, wrapArgs)).stdout).servers[0].serve).toEqual(words);
  } finally {
    home.remove();
  }
});

test("two clients with the same server share one address and one command", async () => {
  const home = makeHome();
  try {
    const text = '{"mcpServers":{"r":{"url":"https://example.com/mcp"}}}';
    write(home, ".cursor/mcp.json", text);
    write(home, ".claude.json", text.replace('"url"', '"type":"http","url"'));
    const { stdout } = await runMeter(home, ["wrap", "--remote", "serve", "--all", "--yes"]);
    expect(
      stdout.match(/serve --url https:\/\/example\.com\/mcp --port \d+ --server r$/gm),
    ).toHaveLength(1);
    expect(stdout).toContain("start this command and keep it running");
    const addresses = [".cursor/mcp.json", ".claude.json"].map(
      (name) => /http:\/\/127[^"]+/.exec(readFileSync(join(home.path, name), "utf8"))?.[0],
    );
    expect(new Set(addresses).size).toBe(1);
    const listed = await runMeter(home, ["wrap", "--list"]);
    expect(listed.stdout.match(/behind mcp-meter since/g)).toHaveLength(2);
  } finally {
    home.remove();
  }
});

test("entries with OAuth, SSE or a secret in the URL are refused, and nothing is written", async () => {
  const home = makeHome();
  try {
    const url = "https://example.com/mcp";
    const text = JSON.stringify({
      mcpServers: {
        a: { url, oauth: {} },
        b: { url, type: "sse" },
        c: { url: `${url}?token=5ecret` },
        d: { url: "https://${HOST}/mcp" },
      },
    });
    const file = write(home, ".claude.json", text);
    const refused = await runMeter(home, ["wrap", "--remote", "serve", "--all", "--yes"]);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining("Left 4 servers"),
    ]);
    for (const reason of ["OAuth", "SSE, which serve", "may hold a secret", "a placeholder"]) {
      expect(refused.stdout).toContain(reason);
    }
    expect(refused.stdout).not.toContain("5ecret");
    expect(readFileSync(file, "utf8")).toBe(text);
  } finally {
    home.remove();
  }
});

function write(home: Home, name: string, text: string): string {
  const path = join(home.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** The address and the headers with which a client reaches its server `r`. */
function entryOf(client: ClientId, file: string) {
  const read = readClientFile(file, clients[client].form);
  const value = read && "value" in read ? read.value : undefined;
  const entry = entriesIn(clients[client], value)[0]?.entry ?? {};
  const headers = Object(entry["headers"] ?? entry["http_headers"]) as Record<string, string>;
  return { url: new URL(String(entry["url"] ?? entry["uri"])), headers };
}
