import { expect, test } from "bun:test";
import { describeExportFailure, noAnswer } from "#state/sinks/otlp/endpoint.ts";

const secret = "http://user:secret@host";

test.each([
  [Object.assign(new Error(secret), { code: 404 }), "HTTP 404"],
  [Object.assign(new Error(secret), { code: "ECONNREFUSED" }), "the connection was refused"],
  [Object.assign(new Error(secret), { code: "ENOTFOUND" }), "no host with that name"],
  [
    Object.assign(new Error(secret), { code: "HPE_INVALID_CONSTANT" }),
    "the answer is not valid HTTP",
  ],
  [Object.assign(new Error(secret), { code: "ECONNRESET" }), "the connection was closed"],
  [
    Object.assign(new Error(secret), { code: "ERR_INVALID_CHAR" }),
    "a header has a character that cannot be sent; see OTEL_EXPORTER_OTLP_HEADERS",
  ],
  [
    Object.assign(new Error(secret), { code: "ERR_SSL_WRONG_VERSION_NUMBER" }),
    "it does not use TLS; use http://",
  ],
  [Object.assign(new Error("x"), { code: secret }), "the export failed"],
  [new Error(secret), "the export failed"],
  [new Error("Export failed with retryable status"), "the backend is not ready"],
  [
    new Error("OTLP export response body exceeded size limit of 4 bytes"),
    "the backend's answer is too long",
  ],
  [new Error("Request timed out"), noAnswer],
  [undefined, "the export failed"],
  [secret, "the export failed"],
])("a failed export in words, case %#", (error, words) => {
  expect(describeExportFailure(error)).toBe(words);
});
