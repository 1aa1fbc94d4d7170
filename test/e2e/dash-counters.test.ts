import { expect, setDefaultTimeout, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { executable } from "../support/servers.ts";
import { eventually } from "../support/wait.ts";
import { makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const hasCountersTable = hasRedis("metrics without counters");

test("metrics prints everything else, with one line", async () => {
  const home = makeHome();
  const env = { MCP_METER_COUNTERS: `redis://127.0.0.1:${freePort()}` };
  const { status, stdout, stderr } = await runMeter(home, ["metrics"], { env });
  home.remove();
  expect([status, stdout.split("\n").at(-2)]).toEqual([0, "mcp_meter_counters_up 0"]);
  expect(stderr).toMatch(/^mcp-meter: Leaving out budget usage: cannot read .+\n$/);
});

test.if(hasCountersTable)(
  "dash says once that they are away and once that they are back (slow)",
  async () => {
    await using redis = await RedisServer.start();
    await redis.kill();
    const home = makeHome();
    const child = Bun.spawn([executable(), "dash"], {
      env: { ...process.env, ...home.env, MCP_METER_COUNTERS: redis.url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let said = "";
    void collect(child.stdout, (text) => (out += text));
    void collect(child.stderr, (text) => (said += text));
    try {
      await eventually("the address", () => out.includes("\n"));
      const address = out.trim().replace("/?", "/metrics?");
      const metrics = async (): Promise<string> => (await fetch(address)).text();
      expect(await metrics()).toContain("\nmcp_meter_counters_up 0\n");
      await metrics();
      await redis.restart();
      while (!(await metrics()).includes("\nmcp_meter_counters_up 1\n")) await Bun.sleep(100);
      await eventually("the line", () => said.includes("can be read again\n"));
      const lines = said.trimEnd().split("\n").slice(1);
      expect(lines).toEqual([
        expect.stringContaining("without fresh budget counters: cannot read the budget counters"),
        "mcp-meter: The budget counters can be read again",
      ]);
      expect(said).not.toContain("UserError");
    } finally {
      child.kill("SIGKILL");
      await child.exited;
      home.remove();
    }
  },
);

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk));
}
