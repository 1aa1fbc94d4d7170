import { expect, test } from "bun:test";
import { findEndpoint } from "#state/sinks/otlp/endpoint.ts";

const shared = "OTEL_EXPORTER_OTLP_ENDPOINT";

test.each([
  ["http://host:4318", "http://host:4318/v1/metrics"],
  ["https://host/", "https://host/v1/metrics"],
  ["http://host/opentelemetry", "http://host/opentelemetry/v1/metrics"],
  ["http://host/opentelemetry/v1/metrics", "http://host/opentelemetry/v1/metrics"],
  ["http://host/v1/traces/", "http://host/v1/metrics"],
  ["http://host/base?tenant=1#x", "http://host/base/v1/metrics?tenant=1"],
])("%s is %s for metrics, whatever variables say", (base, url) => {
  const env = { [shared]: "http://other", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://third" };
  expect(findEndpoint("metrics", base, env)).toEqual({ url, headers: {} });
  const traces = url.replace("/v1/metrics", "/v1/traces");
  expect(findEndpoint("traces", base, env)?.url).toBe(traces);
});

test("without a URL: that of the signal as it is, else the shared one, else a collector on this machine", () => {
  const variables = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://own/path",
    [shared]: "http://all/base",
  };
  expect(findEndpoint("metrics", undefined, variables)?.url).toBe("http://own/path");
  expect(findEndpoint("traces", undefined, variables)?.url).toBe("http://all/base/v1/traces");
  expect(findEndpoint("metrics", undefined, { [shared]: " " })?.url).toBe(
    "http://localhost:4318/v1/metrics",
  );
});

test("credentials are a header, and not in the URL", () => {
  expect(findEndpoint("metrics", "http://me%40x:p%25%zz@host", {})).toEqual({
    url: "http://host/v1/metrics",
    headers: { Authorization: `Basic ${Buffer.from("me@x:p%25%zz").toString("base64")}` },
  });
  expect(findEndpoint("metrics", "http://token@host", {})?.headers).toEqual({
    Authorization: `Basic ${Buffer.from("token:").toString("base64")}`,
  });
});

test.each(["", "localhost:4318", "file:///etc/passwd", "javascript:0", "http://", "unix:/x", "\0"])(
  "%p is not an endpoint",
  (text) => {
    expect(findEndpoint("metrics", text, {})).toBe(undefined);
    if (text !== "") expect(findEndpoint("traces", undefined, { [shared]: text })).toBe(undefined);
  },
);
