import { expect, test } from "bun:test";
import { checkClients } from "#commands/doctor/check-clients.ts";
import { mkdirSync } from "node:fs";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

function homeWith(claude: unknown): Folder {
  const folder = new Folder();
  folder.file(".claude.json", typeof claude === "string" ? claude : JSON.stringify(claude));
  return folder;
}

const examine = (folder: Folder) => checkClients(makeInstallation({ HOME: folder.path }));

const behind = { command: "mcp-meter", args: ["--", "npx", "x"] };

test("servers that are not behind mcp-meter are named, without their arguments", async () => {
  const plain = { command: "npx", args: ["secret"], env: { A: "secret" } };
  using folder = homeWith({ mcpServers: { a: plain, b: behind, "c\u001b[31m": plain } });
  const findings = await examine(folder);
  expect(JSON.stringify(findings)).not.toContain("secret");
  expect(findings).toMatchObject([
    {
      status: "warning",
      detail: "2 of 3 servers of Claude Code are not behind mcp-meter: a, c\\u001b[31m",
    },
  ]);
  expect(findings[0]?.fix).toBe("mcp-meter wrap --settings-of claude-code --all");
});

test("a client whose servers are all behind mcp-meter is fine", async () => {
  using folder = homeWith({ mcpServers: { b: behind, r: { url: "https://example.com" } } });
  expect(await examine(folder)).toMatchObject([
    { status: "ok", detail: "Claude Code: 1 server behind mcp-meter; 1 remote server not counted" },
  ]);
});

test("a server with a missing mcp-meter is broken", async () => {
  using folder = homeWith({ mcpServers: { b: { ...behind, command: "/missing/mcp-meter" } } });
  expect(await examine(folder)).toMatchObject([
    { status: "ok" },
    {
      status: "broken",
      detail: "Claude Code cannot start b: /missing/mcp-meter does not exist",
      fix: "replace /missing/mcp-meter with /own/mcp-meter",
    },
  ]);
});

test("unreadable settings are named with their line", async () => {
  for (const [text, fault] of [
    ['{\n"a": }', ", line 2, column 6: not valid JSON"],
    ["[]", "it is not an object"],
  ] as const) {
    using folder = homeWith(text);
    const findings = await examine(folder);
    expect(findings).toMatchObject([{ status: "warning", detail: expect.stringContaining(fault) }]);
  }
});

test("a home without clients is fine", async () => {
  using folder = new Folder();
  mkdirSync(folder.at(".claude.json.d"));
  expect(await examine(folder)).toMatchObject([{ status: "ok" }]);
  expect(await checkClients(makeInstallation({}))).toEqual([]);
});
