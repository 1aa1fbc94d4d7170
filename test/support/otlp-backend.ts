import { gunzipSync } from "node:zlib";
import {
  receivedPoints,
  type ReceivedPoint,
  receivedSpans,
  type ReceivedSpan,
} from "./otlp-messages.ts";

type OtlpRequest = {
  readonly path: string;
  readonly headers: Headers;
  readonly points: readonly ReceivedPoint[];
  readonly spans: readonly ReceivedSpan[];
};

export type OtlpBackend = {
  readonly url: string;
  readonly requests: readonly OtlpRequest[];
  points(metric: string): readonly ReceivedPoint[];
  spans(): readonly ReceivedSpan[];
  close(): Promise<void>;
};

type Answer = (request: OtlpRequest) => Response | Promise<Response>;

const accepted: Answer = () =>
  new Response(new Uint8Array(), { headers: { "content-type": "application/x-protobuf" } });

/** Starts one. Bytes that are not OTLP are answered with 400, and kept as a request without points. */
export function openBackend(answer: Answer = accepted): OtlpBackend {
  const requests: OtlpRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(raw) {
      const { headers } = raw;
      const path = new URL(raw.url).pathname;
      const sent = await raw.bytes();
      const body = headers.get("content-encoding") === "gzip" ? gunzipSync(sent) : sent;
      const points = path.endsWith("/v1/metrics") ? receivedPoints(body) : [];
      const spans = path.endsWith("/v1/traces") ? receivedSpans(body) : [];
      const request = { path, headers, points, spans };
      requests.push(request);
      return answer(request);
    },
    error: () => new Response("malformed", { status: 400 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    points: (metric) =>
      requests.flatMap(({ points }) => points).filter((point) => point.metric === metric),
    spans: () => requests.flatMap(({ spans }) => spans),
    close: () => server.stop(true),
  };
}
