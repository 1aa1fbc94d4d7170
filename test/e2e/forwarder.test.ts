import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";

import { spoolKeptBytesMax } from "#transport/forwarder/published-reader.ts";
import { call, initialize, textResult } from "../support/rpc.ts";
import {
  bare,
  fixture,
  metered,
  type Session,
  type SessionOptions,
  testMaxMs,
} from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

function hasForwardingThread({ pid }: Session): boolean {
  return readdirSync(`/proc/${pid}/task`).some((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").trim() === "Worker";
    } catch {
      return false;
    }
  });
}

async function answered(options: SessionOptions): Promise<Session> {
  const session = metered(fixture("honest"), options);
  await session.ask(initialize());
  return session;
}

function spoolBytesOf({ pid }: Session): number {
  return readdirSync(`/proc/${pid}/fd`).reduce((sum, fd) => {
    const path = `/proc/${pid}/fd/${fd}`;
    try {
      return readlinkSync(path).includes("/.spool-") ? sum + statSync(path).blocks * 512 : sum;
    } catch {
      return sum;
    }
  }, 0);
}

const megabyte = 1024 * 1024;

const auto = { env: { MCP_METER_FORWARDER: "auto" } };

// Without these, a thread that never begins would be noticed by nobody: the pump does the same.
describe.skipIf(process.platform !== "linux")("a thread of its own forwards", () => {
  for (const stdio of ["pipes", "sockets"] as const) {
    test(`open lanes, ${stdio}`, async () => {
      await using session = await answered({ ...auto, stdio });
      expect(hasForwardingThread(session)).toBe(true);
      await session.ask(call(2, "echo", { text: "x" }));
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(session.records("call")).toHaveLength(1);
    });
  }

  test("a budget that only warns leaves the lanes open", async () => {
    await using session = await answered({ ...auto, flags: ["--budget", "echo=1:warn"] });
    expect(hasForwardingThread(session)).toBe(true);
    await session.ask(call(2, "echo", { text: "x" }));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.records("breach")).toMatchObject([{ is_enforced: false }]);
  });

  test.each([
    ["--forwarder portable", { flags: ["--forwarder", "portable"] }],
    ["MCP_METER_FORWARDER=portable", { env: { MCP_METER_FORWARDER: "portable" } }],
    ["a budget that refuses", { ...auto, flags: ["--budget", "echo=1000"] }],
    ["--annotate", { ...auto, flags: ["--annotate"] }],
    ["few descriptors", { ...auto, under: ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh"] }],
  ] as const)("not with %s, and every call is recorded", async (_, options) => {
    await using session = await answered(options);
    expect(hasForwardingThread(session)).toBe(false);
    await session.ask(call(2, "echo", { text: "x" }));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.records("call")).toHaveLength(1);
  });

  test("the disk that a burst took is free again before the session ends (slow)", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => index);
    const text = "an order left the warehouse in Basel at noon, ".repeat(22_000);
    const answers = ids.map((id) => JSON.stringify(textResult(id, `${id} ${text}`)));
    // Nothing writes faster than this: the judge is far behind.
    const server = ["sh", "-c", `head -n ${ids.length} > asked; cat answers; cat > rest`];
    await using session = metered(server, {
      ...auto,
      // A client that reads fast.
      under: ["bash", "-c", 'exec "$@" > >(exec cat > /dev/null)', "bash"],
      prepare: (dir) => writeFileSync(`${dir}/answers`, `${answers.join("\n")}\n`),
    });
    await session.send(...ids.map((id) => call(id, "echo", {})));
    await eventually(
      () => `a small spool, not ${spoolBytesOf(session)} bytes`,
      () =>
        session.records("call").length === ids.length &&
        spoolBytesOf(session) <= spoolKeptBytesMax + megabyte,
    );
    await session.finish();
    expect(session.records("call").filter(({ outcome }) => outcome === "ok")).toHaveLength(60);
  });

  test("stdin and stdout are files: not, and all is forwarded", async () => {
    const script = `printf '%s\\n' '${JSON.stringify(initialize())}' > in; "$0" "$@" < in > out; cat out`;
    await using session = metered(["cat"], { ...auto, under: ["sh", "-c", script] });
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.stdout.text).toBe(`${JSON.stringify(initialize())}\n`);
  });

  test("stdin is a file that was read in part: the rest arrives, as bare", async () => {
    const script = `printf 'head\\nrest\\n' > in; exec < in; read -r head; "$0" "$@"`;
    const under = ["sh", "-c", script];
    await using alone = bare(["cat"], { under });
    await alone.finish();
    await using session = metered(["cat"], { ...auto, under });
    await session.finish();
    expect([alone.stdout.text, session.stdout.text]).toEqual(["rest\n", "rest\n"]);
  });

  test("stdin is a device: the server has pipes, which it can open again", async () => {
    const server = [
      "sh",
      "-c",
      "cat /dev/stdin && echo answer > /dev/stdout && echo ok > {dir}/ok",
    ];
    const script = '"$0" "$@" < /dev/null';
    await using session = metered(server, { ...auto, under: ["sh", "-c", script] });
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(readFileSync(`${session.dir}/ok`, "utf8")).toBe("ok\n");
  });

  test("the client has written and left before the start: all of it arrives", async () => {
    const line = `${JSON.stringify(initialize())}\n`;
    const script = `printf '%s' '${line}' | { sleep 0.2; "$0" "$@"; }`;
    await using session = metered(["cat"], { ...auto, under: ["sh", "-c", script] });
    await session.finish();
    expect(session.stdout.text).toBe(line);
  });
});

test.skipIf(process.platform !== "linux")(
  "a thread that cannot start: the pump forwards, from the first byte on (slow)",
  async () => {
    const preload = `${import.meta.dir}/../fixtures/thread-fails.ts`;
    const root = `${import.meta.dir}/../..`;
    for (const how of ["throws", "hangs"]) {
      const program = [process.execPath, "--preload", preload, `${root}/src/main.ts`];
      const env = { ...auto.env, THREAD: how };
      await using session = bare([...program, "--summary", "off", "--", ...fixture("honest")], {
        env,
      });
      await session.ask(initialize());
      await session.ask(call(2, "echo", { text: "x" }));
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(session.records("call")).toHaveLength(1);
    }
  },
);
