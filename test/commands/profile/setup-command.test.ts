import { expect, setDefaultTimeout, test } from "bun:test";
import { profileSetup } from "#commands/profile/setup-command.ts";
import { parseSetupOptions } from "#commands/profile/options.ts";
import type { SetupReport } from "#lock/setup-report.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

setDefaultTimeout(60_000);

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

test("needs no confirmation when there is nothing to start", async () => {
  const { ending, report } = await profiled({ far: { url: "https://example.com" } }, {});
  expect(ending).toEqual({ code: 0 });
  expect(report).toMatchObject({
    is_dry_run: false,
    clients: [{ servers: [{ status: "remote" }] }],
  });
});
