import { expect, test } from "bun:test";
import { openTelemetry } from "#commands/run/open-telemetry.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

test("without the option there is no sink, whatever the environment says", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  expect(await openTelemetry({ otlp: undefined }, env, () => undefined)).toBe(undefined);
});

test("a failure is reported for the person and for the records", async () => {
  const reported: string[][] = [];
  const otlp = { url: undefined, hasSpans: false };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "nowhere" };
  const sink = await openTelemetry({ otlp }, env, (...words) => reported.push(words.map(String)));
  sink?.take(sessionRecord());
  sink?.take(callRecord());
  await sink?.close();
  const what = "OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL";
  const sentence = `Cannot send telemetry: ${what}; traffic and records continue`;
  expect(reported).toEqual([[sentence, what, "telemetry"]]);
});
