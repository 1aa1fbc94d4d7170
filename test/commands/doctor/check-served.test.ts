import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import type { ClientId } from "#clients/ids.ts";
import { checkClients } from "#commands/doctor/check-clients.ts";
import { checkServed } from "#commands/doctor/check-served.ts";
import { applyPlan } from "#commands/wrap/apply-plan.ts";
import { planFile } from "#commands/wrap/plan-file.ts";
import { servedInFile } from "#commands/wrap/served-in-file.ts";
import { servedKey, ServedPorts } from "#commands/wrap/served-ports.ts";
import { serveWith } from "#commands/wrap/serving.ts";
import { servedPortMin } from "#limits/wrapping.ts";
import { Folder } from "../../support/folder.ts";
import { freePort } from "../../support/free-port.ts";
import { proxyTo } from "../../support/http-proxy.ts";
import { patient } from "./patient.ts";

const url = "https://example.com/mcp";
const text = `{"mcpServers":{"r":{"url":"${url}"},"s":{"command":"mcp-meter","args":["--","x"]},"t":{"url":"https://y.org"}}}`;

/** A home in which clients reach the server `r` at a port. */
class ServedHome extends Folder {
  readonly env = { HOME: this.path, XDG_STATE_HOME: this.at("state") };

  wrap(client: ClientId, name: string, port: number): string {
    const file = this.file(name, text);
    const ports = new ServedPorts(new Map([[servedKey({ name: "r", url }), port]]));
    const task = {
      action: "wrap" as const,
      names: ["r"],
      frontFor: () => [],
      withRemote: true,
      serve: serveWith("/own/mcp-meter", [], ports),
    };
    const plan = planFile({ client, file, isProject: false }, task);
    if ("fault" in plan) throw new Error(plan.fault);
    applyPlan(plan, task, this.at("state/mcp-meter"), () => undefined);
    return file;
  }
}

function homeAt(port: number): ServedHome {
  const home = new ServedHome();
  mkdirSync(home.at(".cursor"));
  home.wrap("cursor", ".cursor/mcp.json", port);
  home.wrap("claude-code", ".claude.json", port);
  return home;
}

const examine = (home: ServedHome) => checkServed(patient(home.env));

/** A program that listens. */
function listener() {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  return { port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) };
}

describe("an address of serve in settings", () => {
  test("where nobody listens has the command that must run, once for all clients", async () => {
    const port = freePort();
    using home = homeAt(port);
    expect(await examine(home)).toEqual([
      {
        check: "serve",
        status: "broken",
        detail: `Claude Code, Cursor cannot reach r: nothing listens at http://127.0.0.1:${port}/mcp`,
        fix: `/own/mcp-meter serve --url ${url} --port ${port} --server r`,
      },
    ]);
  });

  test("where serve listens is in order, and the server is metered", async () => {
    using server = listener();
    using proxied = proxyTo(server.port);
    using home = homeAt(Number(new URL(proxied.url).port));
    expect(await examine(home)).toMatchObject([{ status: "ok", fix: null }]);
    expect(checkClients(patient(home.env))).toMatchObject([
      { detail: "Claude Code: 2 servers behind mcp-meter; 1 remote server not counted" },
      { detail: "Cursor: 2 servers behind mcp-meter; 1 remote server not counted" },
    ]);
  });

  test("where another program listens is broken", async () => {
    using server = listener();
    using home = homeAt(server.port);
    expect(await examine(home)).toMatchObject([
      {
        status: "broken",
        detail: expect.stringContaining("another program listens"),
        fix: `lsof -i TCP:${server.port} -s TCP:LISTEN`,
      },
    ]);
  });

  test("in the settings of a project that was wrapped is examined too", async () => {
    using home = new ServedHome();
    home.wrap("cursor", "project.json", servedPortMin);
    expect(await examine(home)).toMatchObject([{ check: "serve" }]);
  });
});

test("without such an address there is no finding", async () => {
  using home = new ServedHome();
  home.file(".claude.json", text);
  expect([await examine(home), await checkServed(patient({}))]).toEqual([[], []]);
});

test("servedInFile leaves out servers that are turned off, and other entries", () => {
  using home = new ServedHome();
  const file = home.wrap("cursor", "mcp.json", servedPortMin);
  const wrapped = readFileSync(file, "utf8");
  const found = (written: string, env: Record<string, string> = home.env) =>
    servedInFile("cursor", { file, value: JSON.parse(written) }, env);
  const address = `http://127.0.0.1:${servedPortMin}/mcp`;
  expect(found(wrapped)).toMatchObject([{ rawName: "r", address }]);
  expect(found(wrapped.replace('"r":{', '"r":{"disabled":true,'))).toEqual([]);
  expect(found(wrapped, {})).toEqual([]);
});
