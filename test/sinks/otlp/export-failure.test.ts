import { expect, test } from "bun:test";
import { exportFailure, noAnswer } from "#sinks/otlp/export-failure.ts";

const secret = "http://user:secret@host";

test.each([
  [Object.assign(new Error(secret), { code: 404 }), "HTTP 404"],
  [Object.assign(new Error(secret), { code: "ECONNREFUSED" }), "the connection was refused"],
  [Object.assign(new Error(secret), { code: "ENOTFOUND" }), "ENOTFOUND"],
  [Object.assign(new Error("x"), { code: secret }), "the backend is not ready"],
  [new Error(secret), "the backend is not ready"],
  [new Error("Request timed out"), noAnswer],
  [undefined, "the export failed"],
  [secret, "the export failed"],
])("a failed export in words, case %#", (error, words) => {
  expect(exportFailure(error)).toBe(words);
});
