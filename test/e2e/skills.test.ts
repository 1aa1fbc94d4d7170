import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readString } from "#wire/json.ts";
import { jsonHead, whole } from "../support/over-budget-answers.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";
import { logsBelow } from "../support/records.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { executable } from "../support/servers.ts";
import { onlyLog, runMeter, waitMaxMs } from "./run.ts";
import { ownHome } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

const fixture = join(import.meta.dir, "..", "fixtures", "serves-skills.ts");
const server = (...words: readonly string[]) => [process.execPath, fixture, ...words];
const counted = ["--tokenizer", "chars4"];
const anything = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};
const lines = ["- refunds: Pay money back.\n", "- daily: Report the day.\n"];
const tokens = lines.reduce((sum, line) => sum + Math.ceil(line.length / 4), 0);

test.each(["legacy", "auto"] as const)(
  "run records the skills that a %s client lists",
  async (mode) => {
    using home = ownHome();
    const client = new Client({ name: "host", version: "1" }, { versionNegotiation: { mode } });
    const env = { PATH: process.env["PATH"] ?? "", ...home.env };
    const args = [...counted, "--", ...server()];
    await client.connect(
      new StdioClientTransport({ command: executable(), args, env, stderr: "ignore" }),
    );
    await client.listTools();
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page: unknown = await client.request({ method: "skills/list", params }, anything);
      cursor = readString(page, "nextCursor");
    } while (cursor !== undefined);
    await client.readResource({ uri: "skill://acme/refunds/SKILL.md" });
    await client.close();
    const records = await onlyLog(home);
    const definitions = records.findLast(({ type }) => type === "definitions");
    expect(definitions).toMatchObject({
      tools_total: 1,
      skills: [
        { name: "refunds", tokens: Math.ceil((lines[0]?.length ?? 0) / 4) },
        { name: "daily", tokens: Math.ceil((lines[1]?.length ?? 0) / 4) },
      ],
    });
    const calls = records.filter(({ type }) => type === "call");
    expect(calls).toMatchObject([{ method: "resources/read", outcome: "ok" }]);
    const report = await runMeter(home, ["report", ...home.logs()]);
    expect(report.stdout).toMatch(/skills +2, ~\d+ tokens, counted in the definitions/);
  },
);

test("serve records them too, and another order of the tools", async () => {
  const skill = { uri: "skill://a/SKILL.md", frontmatter: { name: "a", description: "Does a." } };
  const tools = ["b", "c"].map((name) => ({ name, inputSchema: { type: "object" } }));
  using upstream = await RawHttpServer.start(({ message }) => {
    const isTurned = message?.["id"] === 3;
    const listed = { tools: isTurned ? tools.toReversed() : tools };
    const result = message?.["method"] === "skills/list" ? { skills: [skill] } : listed;
    return whole(jsonHead, JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], result }));
  });
  using through = await ServedProxy.start(upstream.url, counted);
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "host", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  for (const [at, method] of ["tools/list", "skills/list", "tools/list"].entries()) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: at + 1, method, params: { _meta: meta } });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
    };
    await (await fetch(through.url, { method: "POST", headers, body })).text();
  }
  const lists = await through.records("definitions");
  expect(lists.at(-1)).toMatchObject({ skills: [{ name: "a" }], tools: [{ name: "c" }, {}] });
  const files = logsBelow(through.folder.path);
  using home = ownHome();
  const report = await runMeter(home, ["report", ...files]);
  expect(report.stdout).toMatch(/tool list +sent in another order 1 time/);
});

test("profile, lock and check have them, and name a changed text", async () => {
  using home = ownHome();
  const run = (...words: readonly string[]) => runMeter(home, words);
  const profile = await run("profile", ...counted, "--json", "--", ...server());
  const { skills, definitions } = JSON.parse(profile.stdout);
  expect(skills).toEqual({ listed: 2, tokens });
  const shown = await run("profile", ...counted, "--", ...server());
  expect(shown.stdout).toContain(
    `skills       2 listed, ~${tokens} tokens, counted in the definitions`,
  );

  const written = await run("lock", ...counted, "--", ...server());
  expect(written).toMatchObject({ status: 0, stderr: "" });
  const lock = JSON.parse(readFileSync(join(home.path, "mcp-meter.lock"), "utf8"));
  expect(lock).toMatchObject({ total_tokens: definitions.total_tokens, skills: [{}, {}] });
  expect((await run("lock", "--check", "--", ...server())).status).toBe(0);
  expect((await run("check", "--", ...server())).status).toBe(0);

  const changed = await run("lock", "--check", "--json", "--", ...server("Pay money back twice."));
  expect(changed.status).toBe(1);
  expect(JSON.parse(changed.stdout).drifts).toMatchObject([
    {
      severity: "RISKY",
      kind: "description_changed",
      what: "skill skill://acme/refunds/SKILL.md: description changed",
    },
  ]);
  const other = await run("lock", "--check", "--", ...server("Pay money back.", "c"));
  expect(other.stdout).toContain("skill skill://acme/refunds/SKILL.md: files changed");
  const long = server("Pay it. ".repeat(90));
  const limited = await run("lock", "--check", "--max-total", "150", "--", ...long);
  expect(limited.stdout).toMatch(/definitions.*150/);
  expect(limited.status).toBe(1);
});
