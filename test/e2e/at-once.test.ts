import { expect, setDefaultTimeout, test } from "bun:test";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const silent = ["--summary", "off", "--log", "off"];

test("a warn budget speaks as soon as the cost of a call exceeds it, although nothing else is printed", async () => {
  const flags = [
    ...silent,
    "--budget",
    "echo=20:warn",
    "--tokenizer",
    "chars3",
    "--as-client",
    "cursor",
  ];
  await using session = metered(fixture("honest"), { flags });
  await session.ask(initialize());
  await session.ask(call(1, "echo", { text: "roses" }));
  await session.ask(call(2, "echo", { text: "x".repeat(300) }));
  const line = await eventually("a line about the budget", () => session.stderr.lines[0]);
  expect(line).toBe(
    'mcp-meter: Budget "echo=20:warn" is exceeded by echo: 206 of 20 tokens per call; the call passed',
  );
  expect(await session.finish()).toEqual({ code: 0, signal: null });
});

test("--slow and MCP_METER_SLOW leave an alert and a note", async () => {
  const cases = [
    { flags: ["--slow", "0.05"], env: {} },
    { flags: [], env: { MCP_METER_SLOW: "0.05" } },
  ];
  for (const options of cases) {
    await using session = metered(fixture("honest"), options);
    await session.ask(initialize());
    await session.ask(call(1, "echo", { text: "roses", delay_ms: 200 }));
    await session.finish();
    expect(session.stderr.text).toMatch(/^slow call +echo: took \d+ ms; --slow is 50 ms$/m);
    expect(session.records("alert")).toMatchObject([{ alert: "slow_call", limit: 50 }]);
  }
});
