import { join } from "node:path";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import { McpConnection } from "#check/mcp-client/connection.ts";
import type { Side } from "#wire/message.ts";
import { waitForEndOfProcessesWith, replay, scratch, uniqueSeconds } from "../../support/replay.ts";
import { legacy, modern } from "../../support/servers.ts";
import { realIo, Spawned } from "./host.ts";

setDefaultTimeout(60_000);

const folder = scratch();
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

async function connect(command: readonly string[], timeoutMs = 10_000) {
  const sides: Side[] = [];
  const server = new McpConnection({ command }, realIo, {
    makeLineHandler: () => (from) => void sides.push(from),
  });
  try {
    const identity = await server.connect(timeoutMs);
    const lists = await server.readLists(timeoutMs);
    return { identity, lists, sides };
  } finally {
    await server.close();
  }
}

async function readReason(command: readonly string[], timeoutMs: number): Promise<string> {
  const error: unknown = await connect(command, timeoutMs).catch((caught: unknown) => caught);
  if (!(error instanceof UserError)) throw new Error(`no sentence: ${String(error)}`);
  expect(error.exitCode).toBe(3);
  return error.message;
}

describe("McpConnection names", () => {
  test.each([
    ["legacy", []],
    ["modern", ["--modern"]],
  ])("the server and the request that it refused: %s", async (_, flags) => {
    const reason = await readReason(replay(file, "--refuses=tools/list", ...flags), 10_000);
    expect(reason).toBe('The server "seven" refused tools/list: fetch failed (-32603)');
  });

  test("the command, when it refuses to connect", async () => {
    const command = replay(file, "--refuses=initialize");
    const reason = await readReason(command, 10_000);
    expect(reason).toBe(`The server "${command[0]}" refused to connect: fetch failed (-32603)`);
  });
});

test("McpConnection names an answer that is too long to be read, also the first one", async () => {
  const long = folder.write("long.json", { server: "s", tools, instructions: "x".repeat(9e6) });
  const command = replay(long);
  expect(await readReason(command, 10_000)).toBe(
    `The server "${command[0]}" failed: its answer to initialize has 9,000,157 bytes, more than the 8 MiB that mcp-meter reads`,
  );
});

describe("McpConnection connects to", () => {
  test.each([
    ["legacy", [], "2025-06-18"],
    ["modern", ["--modern"], "2026-07-28"],
  ] as const)("a %s server, all pages", async (era, flags, protocolVersion) => {
    const { identity, lists, sides } = await connect(replay(file, "--pages", ...flags));
    const who = { name: "seven", version: "7", instructions: "Do.", introduction: {} };
    expect(identity).toEqual({ ...who, protocolVersion, era });
    expect(lists.tools).toEqual(tools);
    expect(sides).toContain("client");
    expect(sides).toContain("server");
  });

  test.each([
    ["legacy", legacy()],
    ["modern", modern()],
  ] as const)("an SDK's server, %s", async (era, server) => {
    const { identity, lists } = await connect(server.argv);
    expect(identity.era).toBe(era);
    expect(lists.tools.length).toBeGreaterThan(3);
  });
});

// For servers that never answer: on a busy machine, a shell may take half a second to write anything.
const timesMs: Readonly<Record<string, number>> = {
  "did not answer within 0.5 s": 500,
  "1 line to stdout that is not JSON-RPC": 2_000,
};

describe("McpConnection explains why it cannot connect to", () => {
  test.each([
    ["a server that hangs", ["sleep", "301"], "did not answer within 0.5 s"],
    ["a server that exits", ["sh", "-c", "exit 4"], "ended with code 4"],
    ["a server that is killed", ["sh", "-c", "kill -9 $$"], "was killed by SIGKILL"],
    [
      "a server that writes garbage",
      ["sh", "-c", "echo hello; sleep 302"],
      "1 line to stdout that is not JSON-RPC",
    ],
    [
      "a server that never stops writing",
      ["sh", "-c", "exec yes 2>/dev/null"],
      "more than 10000 lines to stdout that are not JSON-RPC",
    ],
    ["a server that echoes", ["cat"], "Method not found"],
    ["a server that closes its stdout", ["sh", "-c", "exec >&-; sleep 303"], "closed its stdout"],
    ["a server that does not exist", ["no-such-server-at-all"], "command not found"],
  ] as const)("%s", async (_, command, reason) => {
    const timeoutMs = timesMs[reason] ?? 5_000;
    expect(await readReason(command, timeoutMs)).toContain(reason);
  });

  test("and leaves no process running, not even those that the server started", async () => {
    const seconds = uniqueSeconds();
    await readReason(["sh", "-c", `sleep ${seconds} & sleep ${seconds}; :`], 300);
    expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
  });
});

async function call(flags: readonly string[], tool: string) {
  const server = new McpConnection({ command: replay(file, ...flags) }, realIo, {
    makeLineHandler: () => () => undefined,
  });
  await server.connect(5_000);
  try {
    return await server.call({ tool, arguments: {}, timeoutMs: 2_000 });
  } finally {
    await server.close();
  }
}

describe("McpConnection calls", () => {
  test("a tool that works, and one that says it failed", async () => {
    expect(await call([], "t1")).toMatchObject({ isError: false, error: null });
    expect(await call(["--modern"], "fails")).toMatchObject({
      isError: true,
      error: "word word word",
    });
  });

  test("and throws when the server exits", async () => {
    const caught: unknown = await call(["--dies"], "t1").catch((error: unknown) => error);
    expect(String(caught)).toContain("ended with code 7");
  });
});

const diesOfTheProbe = [
  "sh",
  join(import.meta.dir, "..", "..", "fixtures", "dies-of-the-probe.sh"),
];

describe("McpConnection starts a server a second time", () => {
  test("when it ends by itself on the probe", async () => {
    using spawned = new Spawned();
    const connection = new McpConnection({ command: diesOfTheProbe }, realIo, {
      makeLineHandler: () => () => undefined,
    });
    expect(await connection.connect(10_000)).toMatchObject({ name: "second", era: "legacy" });
    await connection.close();
    expect([spawned.pids.length, await spawned.living()]).toEqual([2, []]);
  });

  const newer = { code: -32_022, message: "newer only", data: { supported: ["2099-01-01"] } };
  const broken = { code: -32_603, message: "broken" };

  test.each([
    ["to the probe", { id: "server-discover-probe-1", error: newer }, "newer only"],
    ["to initialize", { id: 0, error: broken }, "broken"],
  ])("not when its answer %s is the failure", async (_, answer, message) => {
    using spawned = new Spawned();
    const line = JSON.stringify({ jsonrpc: "2.0", ...answer });
    const script = `while read -r request; do echo '${line}'; done`;
    expect(await readReason(["sh", "-c", script], 2_000)).toContain(
      `refused to connect: ${message}`,
    );
    expect([spawned.pids.length, await spawned.living()]).toEqual([1, []]);
  });

  test("not when it does not answer in time", async () => {
    using spawned = new Spawned();
    await readReason(["sleep", "300"], 300);
    expect([spawned.pids.length, await spawned.living()]).toEqual([1, []]);
  });

  test.each(["close", "kill"] as const)("not after %s, which is final", async (how) => {
    using spawned = new Spawned();
    const connection = new McpConnection({ command: diesOfTheProbe }, realIo, {
      makeLineHandler: () => () => undefined,
    });
    await connection[how]();
    const error: unknown = await connection.connect(5_000).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UserError);
    expect(spawned.pids).toEqual([]);
  });
});

const delays = [
  ...Array.from({ length: 16 }, (_, microtasks) => ({ microtasks, turns: 0 })),
  ...[1, 2, 4].map((turns) => ({ microtasks: 0, turns })),
];

async function killAfter(point: number, delay: (typeof delays)[number]) {
  let points = 0;
  let killing: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    for (let left = delay.microtasks; left > 0; left -= 1) await undefined;
    for (let left = delay.turns; left > 0; left -= 1) await new Promise(setImmediate);
    startsBefore = spawned.pids.length;
    await connection.kill();
  };
  const reach = (): void => {
    points += 1;
    if (points === point) killing = kill();
  };
  using spawned = new Spawned(reach);
  let startsBefore = 0;
  const send: typeof realIo.signals.send = (pid, signal) => {
    reach();
    return realIo.signals.send(pid, signal);
  };
  const io = { ...realIo, signals: { ...realIo.signals, send } };
  const connection = new McpConnection({ command: diesOfTheProbe }, io, {
    makeLineHandler: () => reach,
  });
  const connected = await connection.connect(10_000).then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(UserError);
      return false;
    },
  );
  const isReached = killing !== undefined;
  await killing;
  await connection.kill();
  return {
    isReached,
    connected,
    late: spawned.pids.length - startsBefore,
    living: await spawned.living(),
  };
}

test("McpConnection leaves no process, whenever connect is killed", async () => {
  let [point, isReached, killed] = [0, true, 0];
  while (isReached) {
    point += 1;
    for (const delay of delays) {
      const end = await killAfter(point, delay);
      ({ isReached } = end);
      if (!isReached) break;
      const seen = { point, delay, late: end.late, living: end.living };
      expect(seen).toEqual({ point, delay, late: 0, living: [] });
      if (!end.connected) killed += 1;
    }
  }
  expect([point > 7, killed > 70]).toEqual([true, true]);
});
