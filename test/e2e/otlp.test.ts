import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { allowed } from "../support/measure.ts";
import { openBackend, type OtlpBackend } from "../support/otlp-backend.ts";
import type { ReceivedPoint } from "../support/otlp-messages.ts";
import { legacy } from "../support/servers.ts";
import { legacyInput, legacyLines } from "./lines.ts";
import { type Home, makeHome, onlyLog, recordsIn, runMeter, waitMaxMs } from "./run.ts";

let home: Home;
let backend: OtlpBackend;

beforeEach(() => {
  home = makeHome();
  backend = openBackend();
});

afterEach(async () => {
  await backend.close();
  home.remove();
});

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["echo", { message: "hello again, and longer" }],
  ["weather", { city: "Lisbon" }],
  ["fail", {}],
]);

const play = (options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runMeter(home, [...options, "--summary", "off", "--", ...legacy().argv], { input, env });

function recordedTokens(records: readonly Record<string, unknown>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (key: string, tokens: unknown): void => {
    sums[key] = (sums[key] ?? 0) + Number(tokens);
  };
  for (const record of records) {
    if (record["type"] === "definitions") add("definitions", record["resident_tokens"]);
    if (record["type"] !== "call") continue;
    add(`${String(record["tool"])} arguments`, record["input_tokens"]);
    add(`${String(record["tool"])} result`, record["output_tokens"]);
  }
  return sums;
}

function keyOf({ attributes }: ReceivedPoint): string {
  return [attributes["gen_ai.tool.name"], attributes["mcp_meter.part"]].filter(Boolean).join(" ");
}

function cumulativeTokens(points: readonly ReceivedPoint[]): Record<string, number> {
  const newest = new Map(
    points.map((point) => [
      `${String(point.resource["service.instance.id"])} ${keyOf(point)}`,
      point,
    ]),
  );
  return sumByKey([...newest.values()]);
}

function sumByKey(points: readonly ReceivedPoint[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const point of points) sums[keyOf(point)] = (sums[keyOf(point)] ?? 0) + point.value;
  return sums;
}

const delta = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" };

describe("--otlp", () => {
  test("tokens by tool are those of the records; the run is that of a session without it", async () => {
    const run = await play(["--otlp", backend.url]);
    expect(run).toMatchObject({ status: 0, stderr: "" });
    const points = backend.points("mcp_meter.tokens");
    expect(cumulativeTokens(points)).toEqual(recordedTokens(await onlyLog(home)));
    expect(points[0]).toMatchObject({
      unit: "{token}",
      kind: "counter",
      temporality: "cumulative",
    });
    const errors = backend
      .points("mcp.server.operation.duration")
      .filter(({ attributes }) => Object.hasOwn(attributes, "error.type"));
    expect(errors.at(-1)).toMatchObject({
      count: 1,
      attributes: {
        "gen_ai.tool.name": "fail",
        "error.type": "tool_error",
        "network.transport": "pipe",
      },
    });
    expect(backend.spans()).toEqual([]);
  });

  test(
    "three sessions at once, cumulative: each has an instance of its own (slow)",
    async () => {
      await Promise.all([
        play(["--otlp", backend.url]),
        play(["--otlp", backend.url]),
        play(["--otlp", backend.url]),
      ]);
      const points = backend.points("mcp_meter.tokens");
      expect(new Set(points.map(({ resource }) => resource["service.instance.id"])).size).toBe(3);
      expect(cumulativeTokens(points)).toEqual(threeTimes(await oneSession()));
    },
    waitMaxMs,
  );

  test(
    "three sessions at once, delta: everything that arrived adds up, in series without an instance",
    async () => {
      await Promise.all([
        play(["--otlp", backend.url], delta),
        play(["--otlp", backend.url], delta),
        play(["--otlp", backend.url], delta),
      ]);
      const points = backend.points("mcp_meter.tokens");
      expect(points.every(({ temporality }) => temporality === "delta")).toBe(true);
      expect(points.some(({ resource }) => Object.hasOwn(resource, "service.instance.id"))).toBe(
        false,
      );
      expect(sumByKey(points)).toEqual(threeTimes(await oneSession()));
    },
    waitMaxMs,
  );

  test("--otlp-traces sends each call as a span below its caller", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const lines = legacyLines([
      ["echo", { message: "hello" }],
      ["fail", {}],
    ]);
    const traced = lines.map((line) =>
      line.replace('"_meta":{', `"_meta":{"traceparent":"${traceparent}",`),
    );
    await runMeter(
      home,
      ["--otlp", backend.url, "--otlp-traces", "--summary", "off", "--", ...legacy().argv],
      {
        input: traced.map((line) => `${line}\n`).join(""),
      },
    );
    const calls = (await onlyLog(home))
      .filter(({ type }) => type === "call")
      .toSorted((one, other) => String(one["tool"]).localeCompare(String(other["tool"])));
    expect(calls.map(({ traceparent: recorded }) => recorded)).toEqual([traceparent, traceparent]);
    const spans = backend.spans().toSorted((one, other) => one.name.localeCompare(other.name));
    expect(spans.map(({ name, kind, status }) => [name, kind, status])).toEqual([
      ["tools/call echo", 2, 0],
      ["tools/call fail", 2, 2],
    ]);
    for (const [at, span] of spans.entries()) {
      expect(span).toMatchObject({
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        parentId: "00f067aa0ba902b7",
      });
      expect(span.attributes).toMatchObject({
        "mcp.method.name": "tools/call",
        "jsonrpc.request.id": String(calls[at]?.["request_id"]),
        "mcp_meter.tokens.arguments": calls[at]?.["input_tokens"] as number,
        "mcp_meter.tokens.result": calls[at]?.["output_tokens"] as number,
      });
    }
  });

  test(
    "the URL may be that of OTEL_EXPORTER_OTLP_ENDPOINT, of our variable, or of the config (slow)",
    async () => {
      const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: backend.url };
      await play(["--otlp"], otel);
      await play([], { ...otel, MCP_METER_OTLP: "1" });
      await play([], { MCP_METER_OTLP: backend.url });
      const file = `${home.path}/config.json`;
      await Bun.write(
        file,
        JSON.stringify({ servers: { here: { otlp: backend.url, otlp_traces: true } } }),
      );
      await play(["--config", file, "--server", "here"]);
      await Bun.write(file, JSON.stringify({ otlp: true }));
      await play(["--config", file], otel);
      const sessions = new Set(
        backend.points("mcp_meter.tokens").map(({ resource }) => resource["service.instance.id"]),
      );
      expect(sessions.size).toBe(5);
      expect(backend.spans().map(({ resource }) => resource["mcp_meter.server"])).toContain("here");
    },
    waitMaxMs,
  );

  test("row 100: without --otlp no connection is made, whatever variables say", async () => {
    await play([], {
      OTEL_EXPORTER_OTLP_ENDPOINT: backend.url,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${backend.url}/v1/metrics`,
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_SDK_DISABLED: "false",
    });
    await play(["--otlp=false"], { OTEL_EXPORTER_OTLP_ENDPOINT: backend.url });
    await runMeter(home, ["report"], { env: { MCP_METER_OTLP: backend.url } });
    expect(backend.requests).toEqual([]);
  });
});

describe("a backend that fails", () => {
  const secret = "sk-canary-1234567";

  async function expectOneFault(url: string, what: string): Promise<number> {
    const startedMs = performance.now();
    const run = await play(["--otlp", url.replace("//", `//me:${secret}@`), "--otlp-traces"], {
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret}`,
    });
    const tookMs = performance.now() - startedMs;
    expect(run.stderr).toBe(
      `mcp-meter: Cannot send telemetry: ${what}; traffic and records continue\n`,
    );
    expect(run.status).toBe(0);
    const [text] = await Promise.all(home.logs().map((file) => Bun.file(file).text()));
    const faults = (await recordsIn(text ?? "")).filter(({ type }) => type === "fault");
    expect(faults).toMatchObject([{ where: "telemetry", what }]);
    expect(`${run.stdout}${run.stderr}${text}`).not.toContain(secret);
    return tookMs;
  }

  test("row 98: refuses connections", async () => {
    const { url } = backend;
    await backend.close();
    await expectOneFault(url, "the connection was refused");
  });

  test.each([
    ["answers 404", () => new Response(secret, { status: 404 }), "HTTP 404"],
    [
      "answers 503 and asks to come back later",
      () => new Response("", { status: 503, headers: { "retry-after": "30" } }),
      "the backend is not ready",
    ],
    ["never answers", () => Promise.withResolvers<Response>().promise, "no answer in time"],
    [
      "answers with a body that is far too long",
      () => new Response(new Uint8Array(8 * 1024 * 1024)),
      "the backend's answer is too long",
    ],
    [
      "answers with a body that never ends",
      () => new Response(new ReadableStream({ pull: () => Bun.sleep(60_000) })),
      "no answer in time",
    ],
  ])(
    "row 98: %s (slow)",
    async (_how, answer, what) => {
      await using failing = {
        ...openBackend(answer),
        [Symbol.asyncDispose]: () => failing.close(),
      };
      const quickMs = await timeOf(() => play([]));
      home.remove();
      home = makeHome();
      const tookMs = await expectOneFault(failing.url, what);
      // The bound of 1.5 s, and the slack of a busy machine.
      expect(tookMs).toBeLessThan(quickMs + 1_500 + allowed(3_000));
    },
    waitMaxMs,
  );

  test("row 99: a certificate that is a pipe does not hold the session", async () => {
    const pipe = `${home.path}/pipe`;
    Bun.spawnSync(["mkfifo", pipe]);
    const run = await play(["--otlp", backend.url], { OTEL_EXPORTER_OTLP_CERTIFICATE: pipe });
    expect(run).toMatchObject({ status: 0 });
    expect(run.stderr).toContain("OTEL_EXPORTER_OTLP_CERTIFICATE must name a regular file");
  });

  test("an address that is not one of HTTP is a mistake, which is not printed", async () => {
    const run = await play(["--otlp", `https:${secret} x`]);
    expect(run).toMatchObject({ status: 125 });
    const other = await play([`--otlp=ftp://me:${secret}@host`]);
    expect(other.stderr).toBe(
      "mcp-meter: --otlp must be an http or https URL, such as http://localhost:4318\n",
    );
    expect(run.stderr).not.toContain(secret);
    expect((await play(["--otlp-traces"])).stderr).toContain("--otlp-traces requires --otlp");
  });
});

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}

async function oneSession(): Promise<Record<string, number>> {
  const [file = ""] = home.logs();
  return recordedTokens(await recordsIn(await Bun.file(file).text()));
}

function threeTimes(tokens: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(tokens).map(([key, value]) => [key, value * 3]));
}
