import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { telemetryAtExitMaxMs } from "#state/sinks/otlp/otlp-sink.ts";
import { allowed } from "../support/measure.ts";
import { has } from "../support/needs.ts";
import { openBackend, type OtlpBackend } from "../support/otlp-backend.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { call } from "../support/rpc.ts";
import { bare, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";
import { recordFlushMaxMs } from "#state/sinks/record-queue.ts";

setDefaultTimeout(testMaxMs);

const hasMounts = has("unshare -m", "row 111 (a full disk)");
const isThere = hasRedis("row 111 (counters on a full disk)") && hasMounts;

const server = fixture("answers.sh");
const isRefused = (line: string): boolean => line.includes('"isError":true');

function onFullDisk(folder: string): readonly string[] {
  const script = `mount -t tmpfs -o size=64k tmpfs "$0" && mkdir "$0/tmp" && cat /dev/zero > "$0/ballast" 2> /dev/null
exec "$@"`;
  return ["unshare", "-m", "sh", "-c", script, folder];
}

function meteredOnFullDisk(...flags: readonly string[]): Session {
  return metered(server, {
    flags: ["--server", "demo", "--summary", "off", ...flags],
    env: { TMPDIR: "{dir}/state/tmp" },
    under: onFullDisk("{dir}/state"),
  });
}

async function redisOnFullDisk(): Promise<RedisServer> {
  const redis = await RedisServer.startUnder(onFullDisk("{dir}"), "--save", "1 1");
  const isStuck = () => redis.ask("SET", "any", "1")[0]?.includes("MISCONF");
  await eventually("it takes no changes", isStuck);
  return redis;
}

function backendWith(answer?: () => Response): OtlpBackend & AsyncDisposable {
  const backend = openBackend(answer);
  return { ...backend, [Symbol.asyncDispose]: () => backend.close() };
}

async function askFour(session: Session): Promise<readonly string[]> {
  for (const id of [1, 2, 3, 4]) await session.ask(call(id, "echo", { text: `call ${id}` }));
  return session.stdout.lines;
}

async function directLines(): Promise<readonly string[]> {
  await using session = bare(server);
  return await askFour(session);
}

async function expectEndInTime(session: Session, code: number): Promise<void> {
  const startedMs = performance.now();
  expect(await session.finish()).toEqual({ code, signal: null });
  const boundMs = telemetryAtExitMaxMs + 2 * recordFlushMaxMs;
  expect(performance.now() - startedMs).toBeLessThan(boundMs + allowed(5_000));
}

function callsAt(backend: OtlpBackend): number {
  const newest = new Map<string, number>();
  for (const { resource, attributes, count } of backend.points("mcp.server.operation.duration")) {
    if (attributes["gen_ai.tool.name"] === undefined) continue;
    newest.set(JSON.stringify([resource["service.instance.id"], attributes]), count);
  }
  return [...newest.values()].reduce((sum, count) => sum + count, 0);
}

const dropped = expect.stringMatching(/^mcp-meter: Dropped \d+ records: /);

const policies = [
  ["local", [false, false, false, true], [/is 100% spent/]],
  ["closed", [true, true, true, true], []],
  ["open", [false, false, false, false], [/is 100% spent/, /the call passed/]],
] as const;

describe.if(isThere)("a full disk", () => {
  test("row 111: under records alone: the shared budget holds, and telemetry has every call", async () => {
    await using redis = await RedisServer.start();
    await using backend = backendWith();
    const flags = ["--budget", "5calls/month", "--counters", redis.url, "--otlp", backend.url];
    const direct = await directLines();
    await using first = meteredOnFullDisk(...flags);
    expect(await askFour(first)).toEqual(direct);
    await expectEndInTime(first, 0);
    await using second = meteredOnFullDisk(...flags);
    const [passed, ...others] = await askFour(second);
    expect([passed, others.map(isRefused)]).toEqual([direct[0] ?? "", [true, true, true]]);
    await expectEndInTime(second, 1);
    for (const { stderr } of [first, second]) {
      expect(stderr.lines.filter((line) => !line.includes("% spent"))).toEqual([dropped]);
    }
    expect(callsAt(backend)).toBe(8);
  });

  test.each(policies)(
    "row 111: under records, Redis and the backend, %s: the policy decides, and each failure is told (slow)",
    async (policy, refused, spoken) => {
      await using redis = await redisOnFullDisk();
      await using backend = backendWith(() => new Response("no space left", { status: 507 }));
      const counters = ["--counters", redis.url, "--on-counter-failure", policy];
      const flags = [...counters, "--budget", "3calls/month", "--otlp", backend.url];
      await using session = meteredOnFullDisk(...flags);
      await expectPolicy(session, refused);
      // What could not be written at the end is another fact than that Redis is away.
      const unsaved = policy === "closed" ? [] : [/^mcp-meter: Cannot write the last spending/];
      const failures = [
        /^mcp-meter: Cannot send telemetry: HTTP 507;/,
        /^mcp-meter: Cannot use the budget counters in the Redis .* \(it cannot save its data/,
        ...unsaved,
      ];
      expectTold(session, [...spoken, ...failures]);
    },
  );

  test.each(policies)(
    "row 111: under records and the file of counters, and no backend, %s: the policy decides, and each failure is told",
    async (policy, refused, spoken) => {
      const away = openBackend();
      await away.close();
      const flags = [
        "--on-counter-failure",
        policy,
        "--budget",
        "3calls/month",
        "--otlp",
        away.url,
      ];
      await using session = meteredOnFullDisk(...flags);
      await expectPolicy(session, refused);
      const failures = [
        /^mcp-meter: Cannot send telemetry: the connection was refused;/,
        /^mcp-meter: Cannot use the shared budget counters \(no space left on the disk\)/,
      ];
      expectTold(session, [...spoken, ...failures]);
    },
  );
});

function expectTold({ stderr }: Session, lines: readonly RegExp[]): void {
  const expected: unknown[] = [...lines.map((text) => expect.stringMatching(text)), dropped];
  const told: unknown[] = stderr.lines.toSorted();
  expect(told).toEqual(expected);
}

async function expectPolicy(session: Session, refused: readonly boolean[]): Promise<void> {
  const direct = await directLines();
  const lines = await askFour(session);
  expect(lines.map(isRefused)).toEqual([...refused]);
  for (const [at, line] of lines.entries())
    if (!isRefused(line)) expect(line).toBe(direct[at] ?? "");
  await expectEndInTime(session, refused.includes(true) ? 1 : 0);
}
