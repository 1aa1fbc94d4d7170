import { afterEach, beforeEach, expect, setDefaultTimeout } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { executable, systemMonitor } from "../support/servers.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { type Home, makeHome, onlyLog, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeEach(() => {
  home = makeHome();
});

afterEach(() => home.remove());

const page = "ui://system-monitor/mcp-app.html";
const polls = 30;

eachFirst(1, [{ extensions: { "io.modelcontextprotocol/ui": {} } }, {}])(
  "an app works under a budget and --max-repeats for a client with %j",
  async (capabilities) => {
    const flags = ["--tokenizer", "o200k", "--budget", "1k/session", "--max-repeats", "5"];
    const args = [...flags, "--", ...systemMonitor().argv];
    const client = new Client({ name: "host", version: "1" }, { capabilities });
    const env = { PATH: process.env["PATH"] ?? "", ...home.env };
    await client.connect(
      new StdioClientTransport({ command: executable(), args, env, stderr: "ignore" }),
    );
    await client.listTools();
    const call = async (name: string) => (await client.callTool({ name, arguments: {} })).isError;
    expect(await call("get-system-info")).not.toBe(true);
    let read: number | undefined;
    try {
      const { contents } = await client.readResource({ uri: page });
      read = JSON.stringify(contents).length;
    } catch {
      // Withheld.
    }
    let failed = 0;
    for (let at = 0; at < polls; at += 1) failed += (await call("poll-system-stats")) ? 1 : 0;
    await client.close();

    const summary = await runMeter(home, ["report", "--json", ...home.logs()]);
    const { total, view, definitions } = JSON.parse(summary.stdout);
    const usage = await runMeter(home, ["report", "--by", "tool", "--json", ...home.logs()]);
    expect(JSON.parse(usage.stdout).view).toEqual(view.calls === 0 ? undefined : view);
    if ("extensions" in capabilities) {
      expect({ failed, calls: total.calls }).toEqual({ failed: 0, calls: 1 });
      expect(read).toBeGreaterThan(400_000);
      expect(view.calls).toBe(polls + 1);
      expect(view.bytes).toBeGreaterThan(read ?? Infinity);
      expect(definitions.tools).toBe(1);
    } else {
      expect({ read, view, tools: definitions.tools }).toEqual({
        read: undefined,
        view: { calls: 0, bytes: 0 },
        tools: 2,
      });
      expect(failed).toBeGreaterThanOrEqual(polls - 5);
    }
    expect((await onlyLog(home)).filter(({ type }) => type === "fault")).toEqual([]);
  },
);
