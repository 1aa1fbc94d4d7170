import { expect, test } from "bun:test";
import { foreignHeader } from "#http/foreign.ts";

const rows: readonly (readonly [
  host: string | undefined,
  origin: string | undefined,
  "Host" | "Origin" | undefined,
])[] = [
  ["127.0.0.1:4321", undefined, undefined],
  ["localhost:4321", "http://localhost:6274", undefined],
  ["LOCALHOST", "https://127.0.0.1", undefined],
  ["[::1]:80", "http://[::1]:80", undefined],
  [undefined, undefined, "Host"],
  ["", undefined, "Host"],
  ["evil.example:4321", undefined, "Host"],
  ["127.0.0.1.evil.example", undefined, "Host"],
  ["localhost.evil.example", undefined, "Host"],
  ["127.0.0.1:4321", "http://evil.example", "Origin"],
  ["127.0.0.1:4321", "http://127.0.0.1.evil.example", "Origin"],
  ["127.0.0.1:4321", "http://evil.example/127.0.0.1", "Origin"],
  ["127.0.0.1:4321", "null", "Origin"],
  ["127.0.0.1:4321", "", "Origin"],
  ["127.0.0.1:4321", "file://localhost", "Origin"],
];

test.each(rows)("Host %p, Origin %p: foreign by %p", (host, origin, foreign) => {
  const headers = new Headers();
  if (host !== undefined) headers.set("host", host);
  if (origin !== undefined) headers.set("origin", origin);
  expect(foreignHeader(headers)).toBe(foreign);
});
