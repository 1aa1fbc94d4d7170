import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { GatedSession } from "../support/gated-session.ts";
import { allowed, cpuMs, judgedByTime } from "../support/measure.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;

const pipesMax = 2 * 64 * 1024;

type Flood = {
  readonly name: string;
  readonly text: string;
  readonly megabytes: number;
  readonly isForeign: boolean;
};

const flood = (name: string, text: string, megabytes = 20): Flood => {
  return { name, text, megabytes, isForeign: true };
};

const foreign: readonly Flood[] = [
  flood("newlines", "\n"),
  flood("lines of a brace", "{\n"),
  flood("lines of a bracket", "[\n"),
  flood("lines of NUL", "\0\n"),
  flood("foreign JSON", '{"level":"info","msg":"hello"}\n'),
  flood("JSON with a backslash, broken", String.raw`{"a":"\\","b` + "\n", 1),
  flood("prose", "The quick brown fox jumps over the lazy dog.\n"),
  flood("bytes of no encoding, on one line", "\x80", 60),
  flood("nested brackets without an end", "[", 60),
];

const messages: readonly Flood[] = [
  { ...flood("halves of messages", '{"jsonrpc":"2.0","method":\n'), isForeign: false },
  {
    ...flood("notifications", '{"jsonrpc":"2.0","method":"notifications/x"}\n', 60),
    isForeign: false,
  },
  { ...flood("requests", '{"jsonrpc":"2.0","id":5,"method":"ping"}\n', 5), isForeign: false },
];

const ways = {
  TERM: { code: null, signal: "SIGTERM" },
  "the end of input": { code: 0, signal: null },
} as const;

const settings = { "": [], ", under a budget": ["--budget", "300/session"] } as const;

function* blocks({ text, megabytes }: Flood): Generator<Buffer> {
  const block = Buffer.from(text.repeat(Math.ceil(32_768 / text.length)), "latin1");
  for (let sent = 0; sent < megabytes * megabyte; sent += block.length) yield block;
}

type Row = {
  readonly it: Flood;
  readonly side: "server" | "client";
  readonly way: keyof typeof ways;
  readonly setting: keyof typeof settings;
};

function start({ it, side, setting }: Row): Session {
  const flags = settings[setting];
  if (side === "client") return metered(["sh", "-c", "exec cat > /dev/null"], { flags });
  const text = Buffer.from(it.text, "latin1").toString("base64");
  const bytes = String(it.megabytes * megabyte);
  return metered(fixture("floods-after-answer", text, bytes), { flags });
}

async function play(session: Session, { it, side }: Row): Promise<void> {
  if (side === "client") {
    await session.send(initialize(), call(2, "echo"));
    for (const block of blocks(it)) await session.input.write(block, 30_000);
    return;
  }
  await session.ask(initialize());
  await session.send(call(2, "echo"));
  await eventually("the flood", () => session.stderr.text.includes("flooded"), 30_000);
}

function sentBytes({ it, side }: Row): number {
  const begun = [initialize(), call(2, "echo")].map((one) => JSON.stringify(one).length + 1);
  const flooded = side === "client" ? [...blocks(it)].map(({ length }) => length) : [];
  return [...begun, ...flooded].reduce((sum, bytes) => sum + bytes, 0);
}

function expectAccounted(session: Session, row: Row): void {
  const { it, side, setting } = row;
  const faults = session.records("fault");
  expect(faults.map(({ what }) => what)).toEqual(faults.map(() => "not_judged"));
  expect(faults.length).toBeLessThan(2);
  const skippedBytes = Number(faults[0]?.["bytes"] ?? 0);
  const isUnfinished = side === "client" && !it.text.endsWith("\n");
  // A signal stops reading the client's pipe, possibly within a line.
  if (it.isForeign && !isUnfinished) expect(skippedBytes).toBeLessThan(it.text.length);
  // Under a budget lines are held, and those of a client may stay in its pipe.
  if (setting !== "") return;
  const [end] = session.records("end").slice(-1);
  const judged = Number(end?.["client_bytes"]) + Number(end?.["server_bytes"]);
  const known = judged + skippedBytes;
  const passed = session.stdout.length + sentBytes(row);
  expect(known).toBeLessThanOrEqual(passed);
  expect(known).toBeGreaterThanOrEqual(passed - (side === "client" ? pipesMax : 0));
}

// Each flood has each ending, from the server and from the client, with a budget or without.
const rows = (["server", "client"] as const).flatMap((side, fromClient) =>
  (Object.keys(settings) as Row["setting"][]).flatMap((setting, underBudget) =>
    [...foreign, ...messages].map((it, at): Row => {
      const way = (at + fromClient + underBudget) % 2 === 0 ? "TERM" : "the end of input";
      return { it, side, way, setting };
    }),
  ),
);

const quick: ReadonlySet<string> = new Set(["lines of a brace", "JSON with a backslash, broken"]);

const isQuick = ({ side, setting, it }: Row): boolean =>
  side === "server" && setting === "" && quick.has(it.name);

describe("row 161: a flood waits to be judged → the end within 2 s, nothing judged is lost", () => {
  for (const row of rows) {
    const { it, side, way, setting } = row;
    test(
      `row 161: ${it.megabytes} MB of ${it.name} from the ${side}${setting}, then ${way}${slowIf(!isQuick(row))}`,
      async () => {
        await using session = start(row);
        await play(session, row);
        const started = performance.now();
        if (way === "TERM") session.kill("SIGTERM");
        else session.input.end();
        const { code, signal } = await session.exited();
        // Behind a budget a line that is not one valid message is refused, which the exit code says.
        const isRefused = setting !== "" && code === 1;
        expect({ code: isRefused ? 0 : code, signal }).toEqual(ways[way]);
        expect(performance.now() - started).toBeLessThan(allowed(2_000));
        const outcome = side === "server" ? "ok" : "abandoned";
        expect(session.records("call")).toMatchObject([{ tool: "echo", outcome }]);
        expectAccounted(session, row);
      },
      judgedByTime,
    );
  }
});

function refusedMs(calls: number): Promise<number> {
  const batch = Array.from({ length: calls }, (_, at) => call(at, "gone"));
  return cpuMs(() => new GatedSession(["gone=0"]).clientLine(JSON.stringify(batch)));
}

test(
  "row 161: a batch of forbidden calls is refused in time that its length is worth",
  async () => {
    await refusedMs(500);
    const few = await refusedMs(500);
    expect(await refusedMs(4_000)).toBeLessThan(20 * few);
  },
  judgedByTime,
);
