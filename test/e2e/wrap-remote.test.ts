import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClientId } from "#clients/ids.ts";
import { findEntries } from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import { sha256 } from "#kit/os/hash.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { isObject } from "#wire/json.ts";
import { openV1 } from "../support/client-v1.ts";
import { has } from "../support/needs.ts";
import { markName, processesOf } from "../support/processes.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { filesBelow, type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";
import { spawn } from "node:child_process";
import { freePort } from "../support/free-port.ts";
import { everything } from "../support/servers.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(waitMaxMs);

const secret = "Bearer top-5ecret";

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
      `# mine\r\n[mcp_servers.r]\r\nurl = '${url}' # u\r\nbearer_token_env_var = 'REMOTE_T'\r\n\r\n[mcp_servers.r.http_headers]\r\n"X-Name" = "it's"\r\n`,
  ],
  [
    "goose",
    "config/goose/config.yaml",
    (url) =>
      `extensions:\n  r: # r\n    type: streamable_http\n    name: r\n    uri: ${url}\n    envs: {}\n    headers:\n      Authorization: ${secret} # h\n`,
  ],
];

const hasNpm = has("npm", "mcp-remote behind mcp-meter");

test.skipIf(!hasNpm).each(settings)("%s in %s (slow)", async (client, name, textFor) => {
  await using server = await guardedServer("Authorization", secret);
  const home = makeHome();
  try {
    const text = textFor(server.url);
    const file = write(home, name, text);
    const before = sha256(readFileSync(file));
    const wrapped = await runMeter(home, ["wrap", "--remote", "--all", "--yes"]);
    expect([wrapped.status, wrapped.stderr]).toEqual([0, ""]);
    expect(wrapped.stdout).toContain("npx starts mcp-remote");
    const { argv, env } = launchOf(client, file);
    const mark = crypto.randomUUID();
    const connection = await openV1({
      name: client,
      argv,
      env: {
        ...home.env,
        REMOTE_T: secret.slice("Bearer ".length),
        ...env,
        [markName]: mark,
        MCP_REMOTE_CONFIG_DIR: join(home.path, "auth"),
      },
    });
    const answer = await connection.callTool({ name: "echo", arguments: { message: "far" } });
    expect(JSON.stringify(answer)).toContain("Echo: far");
    const lines = processesOf(mark).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    expect(lines.filter((line) => line.includes("mcp-remote")).length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes("5ecret"))).toEqual([]);
    await connection.close();
    expect(server.requests.rejected).toBe(0);
    expect(server.requests.accepted).toBeGreaterThan(2);
    const { stdout } = await runMeter(home, ["report", "--by", "server"]);
    expect(stdout).toMatch(/^r +/m);
    const listed = JSON.parse((await runMeter(home, ["wrap", "--list", "--json"])).stdout);
    const validate = commandSchema("wrap");
    expect([validate(listed), validate.errors]).toEqual([true, null]);
    expect(listed.servers).toMatchObject([{ server: "r", state: "behind", is_remote: true }]);
    const state = join(home.path, "state", "mcp-meter");
    const kept = filesBelow(state).filter((path) => readFileSync(path, "utf8").includes("5ecret"));
    const places = kept.map((path) => [dirname(path), statSync(path).mode & 0o777]);
    expect(places).toEqual(text.includes(secret) ? [[join(state, "backups"), 0o600]] : []);
    const unwrapped = await runMeter(home, ["unwrap", "--all", "--yes"]);
    expect([unwrapped.status, sha256(readFileSync(file))]).toEqual([0, before]);
    const rest = filesBelow(state).map((path) => dirname(path).slice(state.length + 1));
    expect(rest.filter((folder) => ["backups", "remotes"].includes(folder))).toEqual([]);
  } finally {
    home.remove();
  }
});

test("a dry run, --print and a refusal write nothing", async () => {
  const home = makeHome();
  try {
    const text = `{"mcpServers":{"r":{"url":"https://example.com/mcp","headers":{"A":"${secret}"}},"o":{"url":"https://example.com","auth":{}}}}`;
    const file = write(home, ".cursor/mcp.json", text);
    const dry = await runMeter(home, ["wrap", "--remote", "--dry-run"]);
    expect([dry.status, dry.stdout]).toEqual([
      1,
      expect.stringMatching(
        /r +would be wrapped[^]*refused: mcp-remote has no counterpart for the option "auth"/,
      ),
    ]);
    const printed = await runMeter(home, ["wrap", "--remote", "--print"]);
    expect(printed.stdout).toContain('"A:${MCP_HEADER_1}"');
    expect(printed.stdout).not.toContain("5ecret");
    expect((await runMeter(home, ["wrap", "--list", "--remote"])).status).toBe(2);
    expect((await runMeter(home, ["wrap", "o", "--remote", "--yes"])).status).toBe(1);
    expect([readFileSync(file, "utf8"), existsSync(join(home.path, "state"))]).toEqual([
      text,
      false,
    ]);
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

function launchOf(client: ClientId, file: string) {
  const read = readClientFile(file, clients[client].language);
  const value = read && "value" in read ? read.value : undefined;
  const entry = findEntries(clients[client], value).find(({ rawName }) => rawName === "r");
  const [program = "", ...args] = (entry?.words ?? []).map(String);
  const variables = [entry?.entry["env"], entry?.entry["envs"]].find(isObject) ?? {};
  const env = Object.fromEntries(Object.entries(variables).map(([key, one]) => [key, String(one)]));
  return { argv: [program, ...args] as const, env };
}

type GuardedServer = AsyncDisposable & {
  readonly url: string;
  /** Requests of the protocol with the header, and without it. */
  readonly requests: { accepted: number; rejected: number };
};

async function guardedServer(name: string, value: string): Promise<GuardedServer> {
  const requests = { accepted: 0, rejected: 0 };
  const port = freePort();
  const [node, script] = everything().argv;
  const server = spawn(node, [script ?? "", "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const guard = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname !== "/mcp") return new Response("no", { status: 404 });
      if (request.headers.get(name) !== value) {
        requests.rejected += 1;
        return new Response("no", { status: 403 });
      }
      requests.accepted += 1;
      const { method, headers, body, signal } = request;
      return fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, body, signal });
    },
  });
  let isUp = false;
  await eventually("server-everything listens", () => {
    void fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => (isUp = true),
      () => undefined,
    );
    return isUp;
  });
  return {
    url: `http://127.0.0.1:${guard.port}/mcp`,
    requests,
    async [Symbol.asyncDispose]() {
      server.kill("SIGKILL");
      await guard.stop(true);
    },
  };
}
