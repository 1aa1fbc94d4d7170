import { expect, test } from "bun:test";
import { allowed } from "../../support/measure.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";

test("maskSecrets masks passwords and secrets of URLs, wherever they are in a text", () => {
  const rows = [
    ["redis://user:hunter2@host:6379/0", "redis://user:***@host:6379/0"],
    ["rediss://:p@ss:w@host", "rediss://:***@host"],
    ['Cannot read "redis://u:p@h": no', 'Cannot read "redis://u:***@h": no'],
    ["redis://a:b@h,redis://c:d@h", "redis://a:***@h,redis://c:***@h"],
    ["https://sk-12345678@h/x", "https://***@h/x"],
    ["https://h/x?token=abc&n=1&api_key=def#f", "https://h/x?token=***&n=1&api_key=***#f"],
  ] as const;
  for (const [text, masked] of rows) expect(maskSecrets(text)).toBe(masked);
});

test("maskSecrets leaves everything else alone", () => {
  for (const text of [
    "search=2000",
    "https://h:8080/a@b",
    "redis://user@host",
    "~/a:b@c",
    "a?b=c",
  ]) {
    expect(maskSecrets(text)).toBe(text);
  }
});

test("maskSecrets takes time in proportion to a hostile text", () => {
  for (const repeated of ["a://", "https://", "a:", "a.", "?key", "?", "://:"]) {
    const started = performance.now();
    maskSecrets(repeated.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(allowed(2_000));
  }
});
