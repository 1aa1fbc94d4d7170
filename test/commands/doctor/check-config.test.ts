import { expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { checkConfig } from "#commands/doctor/check-config.ts";
import { Folder } from "../../support/folder.ts";
import { patient } from "./patient.ts";

async function found(folder: Folder, text: string | undefined, env = {}) {
  mkdirSync(folder.at("mcp-meter"), { recursive: true });
  if (text !== undefined) chmodSync(folder.file("mcp-meter/config.json", text), 0o600);
  return checkConfig(patient({ XDG_CONFIG_HOME: folder.path, ...env }));
}

test("a config in order, and none", async () => {
  using folder = new Folder();
  expect(await found(folder, undefined)).toMatchObject([{ status: "ok" }]);
  expect(await found(folder, '{"model": "m"}')).toMatchObject([
    { status: "ok", detail: folder.at("mcp-meter/config.json") },
  ]);
});

test("each mistake is a warning; with on_fault closed calls are refused", async () => {
  using folder = new Folder();
  const findings = await found(folder, '{"windwo": 1, "tokenizer": "redis://u:hunter2@h"}');
  expect(findings).toMatchObject([
    { status: "warning", detail: expect.stringContaining('did you mean "window"?') },
    { status: "warning", detail: expect.stringContaining("--tokenizer"), fix: "mcp-meter config" },
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
  expect((await found(folder, '{"windwo": 1, "on_fault": "closed"}'))[0]).toMatchObject({
    status: "broken",
    detail: expect.stringContaining("every call is refused"),
  });
});

test("a config that others may write", async () => {
  using folder = new Folder();
  await found(folder, "{}");
  const file = folder.at("mcp-meter/config.json");
  chmodSync(file, 0o666);
  expect(await found(folder, undefined)).toMatchObject([
    { status: "warning", fix: `chmod go-w ${file}` },
  ]);
});

test("a variable with a wrong value stops every session", async () => {
  using folder = new Folder();
  expect(await found(folder, undefined, { MCP_METER_WINDOW: "many" })).toMatchObject([
    { check: "environment", status: "broken", detail: expect.stringContaining('not "many"') },
  ]);
});
