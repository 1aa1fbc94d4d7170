import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { hardenRuntime } from "../../scripts/runtime.ts";
import { call, initialize } from "../support/rpc.ts";
import { bare, fixture, metered, type SessionOptions, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const environ = ["sh", "-c", "cat /proc/$$/environ"];

const isExamined = hardenRuntime(readFileSync(process.execPath)).isComplete;

/** Variables that a server on Bun obeys; `{dir}` holds a module that leaves a file behind when it is loaded. */
const variables: Readonly<Record<string, string>> = {
  BUN_BE_BUN: "1",
  BUN_OPTIONS: "--preload {dir}/trace.ts --help",
  BUN_INSPECT: "unix://{dir}/inspector?wait=1",
  BUN_INSPECT_PRELOAD: "{dir}/trace.ts",
  BUN_INSPECT_CONNECT_TO: "unix://{dir}/nowhere",
  BUN_INSPECT_NOTIFY: "unix://{dir}/nowhere",
  BUN_JSC_dumpOptions: "2",
  BUN_JSC_noSuchOption: "1",
  BUN_BYTECODE_ORDER_OUT: "{dir}/traced",
  BUN_CONFIG_MAX_HTTP_REQUESTS: "many",
  NODE_OPTIONS: "--require {dir}/trace.ts --no-such-option",
};

const trace = (dir: string): void =>
  writeFileSync(
    join(dir, "trace.ts"),
    `require("node:fs").writeFileSync(${JSON.stringify(join(dir, "traced"))}, "");`,
  );

async function environmentBehind(start: typeof bare, options: SessionOptions): Promise<string> {
  await using session = start(environ, options);
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(session.dir, "traced"))).toBe(false);
  expect(existsSync(join(session.dir, "inspector"))).toBe(false);
  return session.stdout.text.replaceAll(session.dir, "{dir}").replaceAll(session.mark, "");
}

describe("row 73: variables for a server on Bun do not act on the meter, and reach the server", () => {
  for (const [name, value] of Object.entries(variables)) {
    const isHidden = isExamined || !name.startsWith("BUN_JSC_");
    test.if(isHidden)(`row 73: ${name}`, async () => {
      const options = { env: { [name]: value }, prepare: trace };
      const alone = await environmentBehind(bare, options);
      const behind = await environmentBehind(metered, options);
      expect(alone).toContain(`${name}=${value}`);
      expect(behind).toBe(alone);
    });
  }

  test.if(isExamined)("row 73: three at once, and the session is metered as ever", async () => {
    const { BUN_BE_BUN, BUN_INSPECT, BUN_JSC_noSuchOption } = variables;
    const env = { BUN_BE_BUN: BUN_BE_BUN ?? "", BUN_INSPECT: BUN_INSPECT ?? "" };
    const under = ["env", `BUN_JSC_noSuchOption=${BUN_JSC_noSuchOption}`];
    const server = ["env", "-u", "BUN_BE_BUN", "-u", "BUN_INSPECT", "-u", "BUN_JSC_noSuchOption"];
    await using session = metered([...server, ...fixture("honest")], { env, under });
    await session.ask(initialize());
    await session.ask(call(1, "echo"));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.records("call")).toMatchObject([{ tool: "echo", outcome: "ok" }]);
  });
});

describe("row 74: a crash of the runtime prints no argument of the command line", () => {
  for (const signal of ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT"] as const) {
    test.if(isExamined)(`row 74: ${signal}`, async () => {
      const flags = ["--server", "CANARY_SERVER"];
      await using session = metered(["sh", "-c", "echo ready; cat", "CANARY_ARGUMENT"], { flags });
      await session.line("ready");
      session.kill(signal);
      expect((await session.ended()).signal).toBe(signal);
      await eventually("a crash report", () => session.stderr.text.includes("panic"));
      expect(session.stderr.text).not.toContain("CANARY");
      await eventually("the server is gone", () => session.living.length === 0);
    });
  }
});
