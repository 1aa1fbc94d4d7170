import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { profileSetup } from "#commands/profile/setup-command.ts";
import { parseSetupOptions } from "#commands/profile/setup-options.ts";
import type { SetupReport } from "#lock/setup/setup-report.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";
import { replay, scratch } from "../../support/replay.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const folder = scratch();
afterAll(() => folder.remove());
const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
const [command = "", ...args] = replay(folder.write("setup.json", { server: "one", tools }));

async function profiled(servers: unknown, options: Record<string, string | boolean>) {
  using home = new Folder();
  home.file(".claude.json", JSON.stringify({ mcpServers: servers }));
  const io = capturedIo({ HOME: home.path, PATH: process.env["PATH"] });
  const parsed = parseSetupOptions({
    options: { configured: true, json: true, ...options },
    operands: [],
    child: undefined,
  });
  const ending = await profileSetup(parsed, io);
  const report: SetupReport = JSON.parse(io.written.stdout);
  return { ending, report, stderr: io.written.stderr };
}

test("servers are started with a yes, and a failure is a row", async () => {
  const servers = { a: { command, args }, gone: { command: "no-such-server" } };
  const { ending, report, stderr } = await profiled(servers, { yes: true });
  expect([ending, stderr]).toEqual([{ code: 0 }, ""]);
  expect(report).toMatchObject({
    is_dry_run: false,
    clients: [
      {
        servers: [{ status: "profiled", cost: { tools: 1 } }, { failure: { kind: "not_found" } }],
        total: { servers: 1 },
      },
    ],
  });
});

test("without a yes and a terminal nothing is started, which is a mistake of usage", async () => {
  const { ending, report } = await profiled({ a: { command, args } }, {});
  expect(ending).toEqual({ code: 2 });
  expect(report).toMatchObject({
    is_dry_run: true,
    clients: [{ servers: [{ status: "not_started", cost: null, failure: null }] }],
  });
});

test("when every server fails, so does the command, after its report", async () => {
  const { ending, report } = await profiled({ gone: { command: "no-such-server" } }, { yes: true });
  expect(ending).toEqual({ code: 3 });
  expect(report.clients[0]?.servers).toMatchObject([{ status: "failed" }]);
});

test("nothing to start needs no yes", async () => {
  const { ending, report } = await profiled({ far: { url: "https://example.com" } }, {});
  expect(ending).toEqual({ code: 0 });
  expect(report).toMatchObject({
    is_dry_run: false,
    clients: [{ servers: [{ status: "remote" }] }],
  });
});
