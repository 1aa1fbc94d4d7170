import { expect, test } from "bun:test";
import { openOtlp } from "#state/sinks/otlp/open-otlp.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";
import { openBackend } from "../../../support/otlp-backend.ts";

test("a variable that is not a URL of HTTP fails the first export, and no session", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///secret" };
  const failures: string[] = [];
  const sink = openOtlp({ url: undefined, sendsSpans: true }, env, (what) => failures.push(what));
  sink.take(sessionRecord());
  sink.take(callRecord());
  await sink.flush();
  await sink.close();
  expect(failures).toEqual([
    "an OTEL_EXPORTER_OTLP_*ENDPOINT variable is not an http or https URL",
  ]);
});

test("the sink sends to the URL that the user named", async () => {
  const backend = openBackend();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const sink = openOtlp({ url: backend.url, sendsSpans: false }, env, (what) =>
    expect(what).toBe(""),
  );
  sink.take(sessionRecord());
  sink.take(callRecord());
  await sink.close();
  expect(backend.points("mcp_meter.tokens").map(({ value }) => value)).toEqual([10, 100]);
  await backend.close();
});
