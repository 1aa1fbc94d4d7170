import { RedisConnection } from "#state/stores/redis/connection.ts";
import { parseRedisAddress } from "#state/stores/redis/address.ts";
import counterScript from "#state/stores/redis/counter.lua" with { type: "text" };
import { CounterScript, RedisKeys } from "#state/stores/redis/counter-script.ts";
import { RedisCounters } from "#state/stores/redis/redis-counters.ts";
import { Acts } from "./acts.ts";

export async function clockedRedis(url: string): Promise<{ readonly acts: Acts; close(): void }> {
  const fleet = crypto.randomUUID();
  const clock = `mcp-meter:{${fleet}}:clock`;
  const text = counterScript
    .replace("redis.call('TIME')", `redis.call('LRANGE', '${clock}', 0, 1)`)
    // Ended leases are covered by another test.
    .replace("tonumber(ARGV[5])", "1e12");
  const connection = await RedisConnection.open({ address: parseRedisAddress(url) });
  const inner = new CounterScript(connection, new RedisKeys(fleet), text);
  let nowMs = 0;
  // Redis and this machine share a clock, even for an answer read after the next act has started.
  const script: CounterScript = Object.assign(Object.create(inner), {
    change: async (...args: Parameters<CounterScript["change"]>) => {
      changes.unanswered += 1;
      const answer = await inner.change(...args).finally(() => (changes.unanswered -= 1));
      return Object.assign(answer, { nowMs: (nowMs = answer.nowMs) });
    },
  });
  let isClosed = false;
  const changes = { unanswered: 0 };
  const link = {
    isDown: false,
    script,
    subscribe: () => undefined,
    fail: (_script: CounterScript, error: unknown): void => {
      if (!isClosed) throw error;
    },
    reportLostCounters: () => undefined,
    runBeforeClose: () => Promise.resolve(true),
    close: () => connection.close(),
  } as const;
  const store = new RedisCounters({
    link,
    holder: crypto.randomUUID(),
    policy: "local",
    now: () => nowMs,
  });
  const setClock = async (ms: number): Promise<void> => {
    // A change in flight or not yet sent would have another time than its answer.
    store.flush();
    while (changes.unanswered > 0) await Bun.sleep(0);
    nowMs = ms;
    void connection.send(["DEL", clock]).catch(() => undefined);
    const [seconds, micros] = [Math.floor(ms / 1000), (ms % 1000) * 1000];
    const time = [String(seconds), String(micros)];
    void connection.send(["RPUSH", clock, ...time]).catch(() => undefined);
  };
  const acts = new Acts(store, setClock);
  store.subscribe(acts.answered);
  const close = (): void => {
    isClosed = true;
    connection.close();
  };
  return { acts, close };
}
