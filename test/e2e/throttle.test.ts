import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join, resolve } from "node:path";
import { openV1 } from "../support/client-v1.ts";
import { openV2 } from "../support/client-v2.ts";
import { judgedByTime } from "../support/measure.ts";
import { has } from "../support/needs.ts";
import { legacy, metered } from "../support/servers.ts";
import { type Home, makeHome, onlyLog, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const hasCompiler = has("cc", "calls that wait");

let home: Home;

beforeAll(() => {
  home = makeHome();
  if (!hasCompiler) return;
  const source = resolve(import.meta.dir, "../fixtures/clock-ahead.c");
  const flags = ["-shared", "-fPIC", "-o", join(home.path, "clock.so"), source];
  expect(Bun.spawnSync(["cc", ...flags]).stderr.toString()).toBe("");
});

afterAll(() => home.remove());

type Echo = (message: string, signal?: AbortSignal) => Promise<unknown>;

const sdks: readonly (readonly [
  name: string,
  open: (env: Record<string, string>) => Promise<{ echo: Echo; close(): Promise<void> }>,
])[] = [
  [
    "sdk-v1",
    async (env) => {
      const client = await openV1(throttled(env));
      const echo: Echo = (message, signal) =>
        client.callTool(
          { name: "echo", arguments: { message } },
          undefined,
          signal ? { signal } : {},
        );
      return { echo, close: () => client.close() };
    },
  ],
  [
    "sdk-v2",
    async (env) => {
      const client = await openV2(throttled(env), "legacy");
      const echo: Echo = (message, signal) =>
        client.callTool({ name: "echo", arguments: { message } }, signal ? { signal } : {});
      return { echo, close: () => client.close() };
    },
  ],
];

function throttled(env: Record<string, string>) {
  const server = metered(legacy(), ["--budget", "echo=1calls/minute:throttle"]);
  return { ...server, env: { ...server.env, ...home.env, ...env } };
}

/** Milliseconds by which a clock must be ahead to have so many left of its minute. */
function aheadFor(leftMs: number): number {
  return 60_000 - leftMs - (Date.now() % 60_000) + 60_000;
}

for (const [name, open] of sdks) {
  describe.if(hasCompiler)(name, () => {
    test(
      "a call over the limit waits for the next minute, and then runs (slow)",
      async () => {
        const state = { XDG_STATE_HOME: join(home.path, crypto.randomUUID()) };
        const clock = { LD_PRELOAD: "clock.so", LD_LIBRARY_PATH: home.path };
        const env = { ...state, ...clock, CLOCK_AHEAD_MS: String(aheadFor(4_000)) };
        const { echo, close } = await open(env);
        const started = performance.now();
        const asked = [echo("first"), echo("second")];
        expect(await asked[0]).toMatchObject({ content: [{ text: "first" }] });
        const firstMs = performance.now() - started;
        expect(await asked[1]).toMatchObject({ content: [{ text: "second" }] });
        expect(performance.now() - started - firstMs).toBeGreaterThan(500);
        await close();
      },
      judgedByTime,
    );

    test(
      "a call that waits can be taken back, and the server never hears of it",
      async () => {
        const state = join(home.path, crypto.randomUUID());
        const clock = { LD_PRELOAD: "clock.so", LD_LIBRARY_PATH: home.path };
        const env = { XDG_STATE_HOME: state, ...clock, CLOCK_AHEAD_MS: String(aheadFor(45_000)) };
        const { echo, close } = await open(env);
        await echo("first");
        const control = new AbortController();
        const waiting = echo("second", control.signal).catch((error: unknown) => error);
        await Bun.sleep(200);
        control.abort();
        expect(await waiting).toBeInstanceOf(Error);
        await close();
        const calls = (await onlyLog({ ...home, logs: () => logsBelow(state) })).filter(
          (record) => record["type"] === "call",
        );
        expect(calls).toMatchObject([{ outcome: "ok" }, { outcome: "cancelled", total_tokens: 0 }]);
      },
      judgedByTime,
    );
  });
}

function logsBelow(state: string): string[] {
  const files = new Bun.Glob("**/*.ndjson").scanSync({ cwd: state, absolute: true });
  return [...files];
}
