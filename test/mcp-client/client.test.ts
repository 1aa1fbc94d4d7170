// Reaches servers of both eras, and says in one sentence why it could not.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { UserError } from "#errors.ts";
import { McpServer } from "#mcp-client/client.ts";
import type { Side } from "#wire/side.ts";
import { processesWith, replay, scratch } from "../support/replay.ts";
import { legacy, modern } from "../support/servers.ts";

// Processes take their time on a machine that is busy.
setDefaultTimeout(60_000);

const io = {
  platform: process.platform,
  signals: {
    listen: () => () => undefined,
    send(pid: number, signal: string): boolean {
      try {
        return process.kill(pid, signal);
      } catch {
        return false;
      }
    },
  },
};
const folder = scratch();
afterAll(() => folder.remove());

const tools = Array.from({ length: 7 }, (_, at) => ({
  name: `t${at}`,
  inputSchema: { type: "object" },
}));
const file = folder.write("seven.json", {
  server: "seven",
  version: "7",
  instructions: "Do.",
  tools,
});

async function meet(command: readonly string[], timeoutMs = 10_000) {
  const heard: Side[] = [];
  const server = new McpServer(command, io, () => (from) => void heard.push(from));
  try {
    const identity = await server.connect(timeoutMs);
    const offer = await server.offer(timeoutMs);
    return { identity, offer, heard };
  } finally {
    await server.close();
  }
}

async function reasonOf(command: readonly string[], timeoutMs: number): Promise<string> {
  const error: unknown = await meet(command, timeoutMs).catch((caught: unknown) => caught);
  if (!(error instanceof UserError)) throw new Error(`no sentence: ${String(error)}`);
  expect(error.exitCode).toBe(3);
  return error.message;
}

describe("McpServer meets", () => {
  test.each([
    ["legacy", [], "2025-06-18"],
    ["modern", ["--modern"], "2026-07-28"],
  ] as const)("a %s server, all pages", async (era, flags, protocolVersion) => {
    const { identity, offer, heard } = await meet(replay(file, "--pages", ...flags));
    const who = { name: "seven", version: "7", instructions: "Do." };
    expect(identity).toEqual({ ...who, protocolVersion, era });
    expect(offer.tools).toEqual(tools);
    expect(heard).toContain("client");
    expect(heard).toContain("server");
  });

  test.each([
    ["legacy", legacy()],
    ["modern", modern()],
  ] as const)("an SDK's server, %s", async (era, server) => {
    const { identity, offer } = await meet(server.argv);
    expect(identity.era).toBe(era);
    expect(offer.tools.length).toBeGreaterThan(3);
  });

  test("a server that dies of the probe, at the second start", async () => {
    const mark = `${folder.path}/probed`;
    const script = `if [ -e ${mark} ]; then exec "$0" "$@"; fi; read line; touch ${mark}; exit 1`;
    const [program = "", ...args] = replay(file);
    const { identity } = await meet(["sh", "-c", script, program, ...args]);
    expect(identity).toMatchObject({ name: "seven", era: "legacy" });
  });
});

describe("McpServer says why it could not reach", () => {
  test.each([
    ["one that hangs", ["sleep", "301"], "did not answer within 0.5 s"],
    ["one that dies", ["sh", "-c", "exit 4"], "ended with code 4"],
    ["one that is killed", ["sh", "-c", "kill -9 $$"], "was killed by SIGKILL"],
    [
      "one that speaks garbage",
      ["sh", "-c", "echo hello; sleep 302"],
      "1 lines that are no JSON-RPC",
    ],
    ["one that never stops", ["sh", "-c", "exec yes 2>/dev/null"], "no JSON-RPC"],
    ["one that says what we say", ["cat"], "Method not found"],
    ["one that closes its stdout", ["sh", "-c", "exec >&-; sleep 303"], "closed its stdout"],
    ["one that is not there", ["no-such-server-at-all"], "no such program"],
  ] as const)("%s", async (_, command, reason) => {
    const timeoutMs =
      command.join(" ").includes("sleep 30") && !reason.startsWith("closed") ? 500 : 5_000;
    expect(await reasonOf(command, timeoutMs)).toContain(reason);
  });

  test("and leaves nothing running, not even what the server started", async () => {
    await reasonOf(["sh", "-c", "sleep 304.25 & sleep 304.75; :"], 300);
    expect(await processesWith("sleep\u0000304.")).toEqual([]);
  });
});

async function call(flags: readonly string[], tool: string) {
  const server = new McpServer(replay(file, ...flags), io, () => () => undefined);
  await server.connect(5_000);
  try {
    return await server.call(tool, {}, 2_000);
  } finally {
    await server.close();
  }
}

describe("McpServer calls", () => {
  test("a tool that works, and one that says it failed", async () => {
    expect(await call([], "t1")).toMatchObject({ isError: false, error: null });
    expect(await call(["--modern"], "fails")).toMatchObject({ isError: true, error: null });
  });

  test("a server that dies of it throws", async () => {
    const caught: unknown = await call(["--dies"], "t1").catch((error: unknown) => error);
    expect(String(caught)).toContain("ended with code 7");
  });
});
