import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEndpoint, type HeaderPair } from "#wire/endpoint/mcp-endpoint.ts";
import { Conversations, type ConversationMeter } from "#transport/http/http-conversation.ts";
import { startReverseProxy } from "#transport/http/reverse-proxy.ts";
import { now } from "#transport/proxy/judge.ts";
import { noEffects } from "#meter/session/decider.ts";
import { textOf } from "./bytes.ts";

type SeenConversation = {
  readonly messages: string[];
  readonly overs: string[];
  redirects: number;
  isClosed: boolean;
};

export type ProxySetting = {
  readonly headers?: readonly HeaderPair[];
  readonly path?: string;
  readonly isBroken?: boolean;
  readonly port?: number;
};

const overflowPath = (): string => join(tmpdir(), `.overflow-${crypto.randomUUID()}`);

export const openMeter = {
  decide: () => noEffects,
  holds: () => false,
  setDelayedReceiver: () => undefined,
  noteRedirect: () => undefined,
} satisfies Partial<ConversationMeter>;

export function proxyTo(serverPort: number, setting: ProxySetting = {}) {
  const { headers = [], path = "/mcp", isBroken, port = 0 } = setting;
  const seen: SeenConversation[] = [];
  const sentences: string[] = [];
  const conversations = new Conversations(async () => {
    const one: SeenConversation = { messages: [], overs: [], redirects: 0, isClosed: false };
    seen.push(one);
    return {
      close: async () => void (one.isClosed = true),
      meter: {
        endExchange: (_exchange, outcome) => void one.overs.push(outcome),
        whenCaughtUp: () => undefined,
        whenDecided: () => undefined,
        ...openMeter,
        decide: ({ from, line }) => {
          if (isBroken === true) throw new TypeError("broken");
          one.messages.push(`${from}: ${line.bytes ? textOf(line.bytes) : `(${line.size})`}`);
          return noEffects;
        },
        noteRedirect: () => void (one.redirects += 1),
      },
    };
  });
  const upstream = parseEndpoint(`http://127.0.0.1:${serverPort}${path}`, headers);
  const tell = (sentence: string) => void sentences.push(sentence);
  const parts = { port, upstream, conversations, tell, now };
  const proxy = startReverseProxy({ ...parts, isGated: false, overflowPath });
  return { proxy, conversations, seen, sentences, url: proxy.url, [Symbol.dispose]: proxy.close };
}
