import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { call, initialize } from "../support/rpc.ts";
import { bare, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const root = resolve(import.meta.dir, "../..");
const preload = resolve(root, "test/fixtures/loads-late.ts");

function late(flags: readonly string[], server: readonly string[], options = {}): Session {
  const program = [process.execPath, "--preload", preload, resolve(root, "src/main.ts")];
  return bare([...program, ...flags, "--", ...server], {
    env: { MAY_LOAD: "{dir}/go" },
    ...options,
  });
}

const now = (dir: string): void => writeFileSync(join(dir, "go"), "now");

const never = (dir: string): void => writeFileSync(join(dir, "go"), "never");

const open = ["--summary", "off"];
const gated = ["--budget", "forbidden=0", "--log", "{dir}/log"];

describe("row 82: the meter is loaded while the server starts", () => {
  test("row 82: an open lane passes both ways meanwhile; then every line is counted", async () => {
    await using session = late(open, fixture("honest"));
    await session.ask(initialize());
    for (const id of [1, 2]) await session.ask(call(id, "echo", { text: "early" }));
    expect(session.logPaths).toEqual([]);
    now(session.dir);
    await session.ask(call(3, "echo", { text: "late" }));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.records("call").map(({ request_id: id, outcome }) => [id, outcome])).toEqual([
      [1, "ok"],
      [2, "ok"],
      [3, "ok"],
    ]);
    expect(session.records("end").at(-1)).toMatchObject({ observer_faults: 0, exit_code: 0 });
  });

  test("row 82: a gated lane passes no byte before its gate", async () => {
    const server = ["sh", "-c", "echo started >&2; exec cat"];
    await using session = late(gated, server);
    await session.send(call(1, "forbidden"), initialize());
    await eventually("the server's start", () => session.stderr.text.includes("started"));
    expect(session.stdout.length).toBe(0);
    now(session.dir);
    const refusal = await session.line('"isError":true');
    expect(JSON.parse(refusal)).toMatchObject({ id: 1 });
    await session.line('"initialize"');
    await session.finish();
    expect(session.stdout.text).not.toContain("tools/call");
  });

  test("row 82: a server that writes and ends at once is counted, and its code kept", async () => {
    const line = JSON.stringify(call("s", "sampling")).replaceAll("tools/call", "roots/list");
    const server = ["sh", "-c", `printf '%s\n%s' '${line}' '${line}'; exit 3`];
    await using session = late(open, server, { prepare: now });
    session.input.end();
    expect(await session.ended()).toEqual({ code: 3, signal: null });
    expect(session.stdout.text).toBe(`${line}\n${line}`);
    expect(session.records("end").at(-1)).toMatchObject({ server_bytes: 2 * line.length + 1 });
  });

  for (const flags of [open, gated]) {
    test(`row 82: a signal reaches the server meanwhile, ${flags[0]}`, async () => {
      const first = flags === open ? "read -r line; " : "";
      const server = `sleep 60 & trap 'kill $!; exit 7' TERM; ${first}echo ready >&2; wait`;
      await using session = late(flags, ["sh", "-c", server]);
      await session.send(initialize());
      await eventually("the server's start", () => session.stderr.text.includes("ready"));
      session.kill("SIGTERM");
      await eventually("its end", () => session.living.length === 1);
      now(session.dir);
      expect(await session.ended()).toEqual({ code: 7, signal: null });
    });
  }

  for (const flags of [open, gated]) {
    test(`row 82: a meter that cannot be loaded → traffic passes, one line, ${flags[0]}`, async () => {
      await using session = late(flags, fixture("honest"), {
        prepare: never,
      });
      await session.ask(initialize());
      await session.ask(call(1, "echo", { text: "fine" }));
      await session.ask(call(2, "forbidden"));
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(session.stderr.lines).toHaveLength(1);
      expect(session.stderr.text).toContain("Metering failed (the start of the meter: ");
      expect(session.stderr.text).not.toContain("CANARY");
      expect(session.logPaths).toEqual([]);
    });
  }

  test("row 82: a mistake of the user is reported before the server starts", async () => {
    const server = ["sh", "-c", 'touch "$0"', "{dir}/started"];
    for (const flags of [
      ["--budget", "a=lots"],
      ["--no-such-option"],
      ["--lock", "{dir}/no.lock"],
      ["--lock", "{dir}/no.lock", "--enforce-lock"],
      ["--config", "{dir}/no.json"],
    ]) {
      await using session = metered(server, { flags });
      expect(await session.finish()).toEqual({ code: 125, signal: null });
      expect(session.stderr.lines).toHaveLength(1);
      expect(existsSync(join(session.dir, "started"))).toBe(false);
    }
  });
});
