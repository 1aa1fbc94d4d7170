import { expect, test } from "bun:test";
import { keyCharactersMax, findAccount } from "#state/makers/maker.ts";
import { anthropic } from "#state/makers/anthropic.ts";
import { google } from "#state/makers/google.ts";
import { thrownBy } from "../../support/folder.ts";

const key = { ANTHROPIC_API_KEY: " sk-1 " };

test("key and address: the maker's own variables, then the maker", () => {
  const env = { ...key, ANTHROPIC_BASE_URL: "https://gateway.example/x" };
  expect(findAccount(anthropic, key)).toMatchObject({
    key: "sk-1",
    keyVariable: "ANTHROPIC_API_KEY",
  });
  expect(findAccount(anthropic, key).url.href).toBe("https://api.anthropic.com/");
  expect(findAccount(anthropic, env).url.href).toBe("https://gateway.example/x");
});

test("the first variable that is set has the key", () => {
  const env = { GEMINI_API_KEY: " ", GOOGLE_API_KEY: "g" };
  expect(findAccount(google, env)).toMatchObject({
    key: "g",
    keyVariable: "GOOGLE_API_KEY",
  });
  expect(thrownBy(() => findAccount(google, {}))).toBe(
    "Cannot ask Google for exact counts: set GEMINI_API_KEY or GOOGLE_API_KEY",
  );
});

test.each(["sk\n1", "sk 1", "sk-é", "\u0000", "k".repeat(keyCharactersMax + 1)])(
  "the key %j is refused without being quoted",
  (bad) => {
    const thrown = thrownBy(() => findAccount(anthropic, { ANTHROPIC_API_KEY: bad }));
    expect(thrown.replace(bad, "LEAK")).toBe(
      "Cannot use the key in ANTHROPIC_API_KEY: it does not look like an API key",
    );
  },
);

test("a key of the longest length is used", () => {
  const long = "k".repeat(keyCharactersMax);
  expect(findAccount(anthropic, { ANTHROPIC_API_KEY: long }).key).toBe(long);
});

test.each([
  "http://example.com",
  "http://127.0.0.1.example.com",
  "https://user:word@example.com",
  "ftp://127.0.0.1",
  "file:///etc/passwd",
  "nonsense",
])("a key is not sent to %s", (url) => {
  expect(thrownBy(() => findAccount(anthropic, { ...key, ANTHROPIC_BASE_URL: url }))).toBe(
    "Cannot send a key to the address in ANTHROPIC_BASE_URL: it must be an https URL without a user or password; http is allowed only for localhost",
  );
});

test.each(["http://localhost:1", "http://[::1]:1", "https://gateway.example"])(
  "a key may be sent to %s",
  (url) => {
    const env = { ...key, ANTHROPIC_BASE_URL: url };
    expect(findAccount(anthropic, env).url.href).toBe(`${url}/`);
  },
);
