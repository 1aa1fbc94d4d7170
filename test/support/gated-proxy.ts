import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CounterStore } from "#meter/budgets/counter.ts";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { Conversations } from "#transport/http/http-conversation.ts";
import { startReverseProxy } from "#transport/http/reverse-proxy.ts";
import { now } from "#transport/proxy/judge.ts";
import { Observer } from "#transport/proxy/observer.ts";
import type { MeterRecord } from "#records/record.ts";
import { Meter } from "#meter/session/meter.ts";
import { MemoryCounters } from "#state/stores/memory.ts";
import { gateOf } from "./decisions.ts";
import { meterOptions } from "./play.ts";

export type GatedSetting = {
  readonly isAnnotating?: boolean;
  readonly shared?: CounterStore;
};

export function gatedProxyTo(
  serverPort: number,
  specs: readonly string[],
  { isAnnotating = false, shared = new MemoryCounters() }: GatedSetting = {},
) {
  const records: MeterRecord[] = [];
  const sentences: string[] = [];
  const observers: Observer[] = [];
  const conversations = new Conversations(async () => {
    const stores = { session: new MemoryCounters(), shared };
    const gate = gateOf(specs, { stores });
    const meter = new Meter(meterOptions({ gate, isAnnotating, transport: "http" }));
    const observer = new Observer(meter, {
      record: (record) => void records.push(record),
      failed: (where, what) => void sentences.push(`${where}: ${what}`),
    });
    observers.push(observer);
    return { meter: observer, close: () => observer.finish() };
  });
  const upstream = parseEndpoint(`http://127.0.0.1:${serverPort}/mcp`);
  const proxy = startReverseProxy({
    port: 0,
    upstream,
    conversations,
    tell: (sentence) => void sentences.push(sentence),
    now,
    isGated: true,
    overflowPath: () => join(tmpdir(), `.overflow-${crypto.randomUUID()}`),
  });
  return {
    url: proxy.url,
    records,
    sentences,
    conversations,
    answered: () => {
      for (const observer of observers) observer.noteCounterAnswers();
    },
    [Symbol.dispose]: proxy.close,
  };
}
