import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, readDocument } from "../docs/documents.ts";
import { alertSchema } from "../support/alerts.ts";
import { has } from "../support/needs.ts";
import { small } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { onlyLog, runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([["echo", { message: "hello" }]]);
const flags = ["--summary", "off", "--budget", "echo=1:warn"];

const session = (options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runMeter(home, [...flags, ...options, "--", ...small().argv], { input, env });

function install(name: string, edit: (text: string) => string = (text) => text): void {
  const block = ["sh", "text"]
    .flatMap((language) => codeBlocks(readDocument("docs/alerts.md"), language))
    .find((text) => text.startsWith(`# ~/.config/mcp-meter/${name}\n`));
  if (block === undefined) throw new Error(`docs/alerts.md has no ${name}`);
  const folder = join(home.path, ".config", "mcp-meter");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), edit(block));
}

test("an alert reaches the command by its option, its variable and the config (slow)", async () => {
  const command = "cat >> alerts";
  await session(["--on-alert", command]);
  await session([], { MCP_METER_ON_ALERT: command });
  const folder = join(home.path, "config", "mcp-meter");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ on_alert: command }));
  await session([]);
  await session(["--on-alert", "off"]);
  const lines = readFileSync(join(home.path, "alerts"), "utf8").trimEnd().split("\n");
  const isValid = alertSchema();
  for (const line of lines)
    expect([isValid(JSON.parse(line)), isValid.errors]).toEqual([true, null]);
  expect(lines.map((line) => JSON.parse(line).alert)).toEqual(Array(3).fill("budget_exceeded"));
  const shown = await runMeter(home, ["config"]);
  expect(shown.stdout).toMatch(/on-alert\s+\*\*\*/);
  expect(shown.stdout).not.toContain("cat >>");
});

test("an empty command and one with a NUL are refused", async () => {
  for (const value of ["", "a\0b"]) {
    const config = join(home.path, "c.json");
    writeFileSync(config, JSON.stringify({ on_alert: value }));
    expect((await session(["--config", config])).status).toBe(125);
  }
});

const hasTools = [has("curl", "the recipe for Slack"), has("jq", "the recipes of alerts")].every(
  Boolean,
);

test.if(hasTools)("the recipe for Slack posts one text, without markup", async () => {
  const bodies: unknown[] = [];
  const kinds: (string | null)[] = [];
  using sink = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      kinds.push(request.method, request.headers.get("content-type"));
      bodies.push(await request.json());
      return new Response("ok");
    },
  });
  install("slack-alert");
  install("slack.curl", (text) => text.replace(/^url = .+$/m, `url = "${sink.url.href}"`));
  const hostile = "<!channel> & <https://example.com|click>";
  const run = await runMeter(
    home,
    [
      ...flags,
      "--server",
      hostile,
      "--on-alert",
      "sh ~/.config/mcp-meter/slack-alert",
      "--",
      ...small().argv,
    ],
    { input, env: { no_proxy: "127.0.0.1" } },
  );
  expect([run.status, run.stderr.includes("--on-alert")]).toEqual([0, false]);
  expect(kinds).toEqual(["POST", "application/json"]);
  expect(bodies).toEqual([
    {
      text: expect.stringMatching(
        /^mcp-meter: &lt;!channel&gt; &amp; &lt;https:\/\/example\.com\|click&gt;, echo, budget echo=1:warn: \d+ of 1 tokens per call; the call passed$/,
      ),
    },
  ]);
});

test.if(hasTools)("a webhook that refuses is one line and one fault", async () => {
  using sink = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("", { status: 403 }),
  });
  install("slack-alert");
  install("slack.curl", (text) => text.replace(/^url = .+$/m, `url = "${sink.url.href}"`));
  const run = await session(["--on-alert", "sh ~/.config/mcp-meter/slack-alert"], {
    no_proxy: "127.0.0.1",
  });
  expect(run.stderr).toContain("The --on-alert command failed (exit code 22); traffic continues");
  expect(run.stderr).not.toContain("slack");
  expect(await onlyLog(home)).toContainEqual(
    expect.objectContaining({ type: "fault", where: "alert command", what: "exit 22" }),
  );
});

test.if(hasTools)("the recipe for mail writes one message", async () => {
  install("mail-alert");
  const folder = join(home.path, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "sendmail"), '#!/bin/sh\necho "$@" > ~/words; cat > ~/mail\n');
  chmodSync(join(folder, "sendmail"), 0o755);
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const run = await session(["--on-alert", "sh ~/.config/mcp-meter/mail-alert"], env);
  expect([run.status, run.stderr.includes("--on-alert")]).toEqual([0, false]);
  expect(readFileSync(join(home.path, "words"), "utf8")).toBe("-t -i\n");
  const mail = readFileSync(join(home.path, "mail"), "utf8").split("\n");
  expect(mail.slice(0, 4)).toEqual([
    "To: team@example.com",
    "Subject: mcp-meter alert",
    "Content-Type: text/plain; charset=utf-8",
    "",
  ]);
  expect(mail[4]).toMatch(/^mcp-meter: .+, echo, budget echo=1:warn: \d+ of 1 tokens per call/);
  expect(mail.slice(5)).toEqual([""]);
});
