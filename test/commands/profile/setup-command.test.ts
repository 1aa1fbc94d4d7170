import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { profileSetup } from "#commands/profile/setup-command.ts";
import { parseSetupOptions } from "#commands/profile/options.ts";
import type { SetupReport } from "#lock/setup-report.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

setDefaultTimeout(60_000);

async function profiled(servers: unknown, options: Record<string, string | boolean>) {
  return profiledSettings(JSON.stringify({ mcpServers: servers }), options);
}

async function profiledSettings(settings: string, options: Record<string, string | boolean>) {
  using home = new Folder();
  home.file(".claude.json", settings);
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

test("needs no confirmation when there is nothing to start", async () => {
  const { ending, report } = await profiled({ far: { url: "https://example.com" } }, {});
  expect(ending).toEqual({ code: 0 });
  expect(report).toMatchObject({
    is_dry_run: false,
    clients: [{ servers: [{ status: "remote" }] }],
  });
});

test("without any server it ends with 1, and says where it looked", async () => {
  const { ending, report, stderr } = await profiled({}, {});
  expect(ending).toEqual({ code: 1 });
  expect(report.clients).toEqual([]);
  expect(stderr).toMatch(
    /^mcp-meter: Found no server in the settings of MCP clients in "\/.+"; add one/,
  );
});

test("without any server in settings that it cannot read, it advises to repair them", async () => {
  const { ending, report, stderr } = await profiledSettings('{ "mcpServers": {', {});
  expect(ending).toEqual({ code: 1 });
  expect(report.unreadable).toMatchObject([{ client: "claude-code", line: 1 }]);
  expect(stderr).toEndWith("; repair the files that cannot be read\n");
});

const honest = (...tools: readonly string[]) => ({
  command: process.execPath,
  args: [join(import.meta.dir, "../../fixtures/lists-tools.ts"), ...tools],
});

test("servers have their share, an earlier run is compared, and a limit holds", async () => {
  using files = new Folder();
  const run = { yes: true, timeout: "20" };
  const first = await profiled({ grown: honest("a"), gone: honest("b") }, run);
  const shares = first.report.clients[0]?.servers.map(({ cost }) => cost?.percent_total ?? 0) ?? [];
  expect(shares).toEqual([50, 50]);
  const compare = files.file("before.json", JSON.stringify(first.report));
  const later = { grown: honest("a", "a-second-tool"), new: honest("c") };
  const second = await profiled(later, { ...run, compare, "max-total": "1" });
  expect(second.report).toMatchObject({
    comparison: {
      file: compare,
      servers_total: { before: 2, after: 2 },
      servers: expect.arrayContaining([
        expect.objectContaining({ client: "claude-code", server: "new", before: null }),
        expect.objectContaining({ client: "claude-code", server: "gone", after: null }),
        expect.objectContaining({ client: "claude-code", server: "grown" }),
      ]),
    },
  });
  const [before, after] = [first, second].map(
    ({ report }) => report.clients[0]?.total.definitions_tokens ?? 0,
  );
  expect(second.report).toMatchObject({ comparison: { total_tokens: { before, after } } });
  expect(second.ending).toEqual({ code: 1 });
  expect(second.stderr).toMatch(
    /^mcp-meter: Over --max-total 1: the tool list of Claude Code has \d+ tokens\n$/,
  );
  await expect(profiled(later, { compare: files.file("bad.json", "{}") })).rejects.toThrow(
    'write one with "mcp-meter profile --json --configured"',
  );
});

test("a limit does not hold when a server could not be measured", async () => {
  const servers = { good: honest("a"), bad: { command: "/missing/server" } };
  const run = { yes: true, timeout: "20" };
  expect((await profiled(servers, run)).ending).toEqual({ code: 0 });
  expect((await profiled(servers, { ...run, "max-total": "1M" })).ending).toEqual({ code: 3 });
  const exceeded = await profiled(servers, { ...run, "max-total": "1" });
  expect(exceeded.ending).toEqual({ code: 3 });
  expect(exceeded.stderr).toContain("Over --max-total 1: the tool list of Claude Code has");
});

test("a client without servers names the clients that have some", async () => {
  const zed = profiled({ a: honest("a") }, { "settings-of": "zed" });
  await expect(zed).rejects.toThrow(
    "Found no MCP servers in the settings of Zed; these clients have MCP servers: claude-code",
  );
});
