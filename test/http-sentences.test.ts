import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { httpSentences } from "#http-sentences.ts";

test("the sentences are among all sentences", () => {
  for (const key of Object.keys(httpSentences)) expect(sentences).toHaveProperty(key);
});

test("a server that wants OAuth has the line to use instead", () => {
  expect(sentences.oauthWanted("https://host/mcp")).toContain(
    'put "mcp-meter -- npx -y mcp-remote https://host/mcp" into the config',
  );
  expect(sentences.upstreamUnreachable("https://host/mcp", "EACCES")).toBe(
    "Cannot reach https://host/mcp: permission denied",
  );
  expect(sentences.oauthWantedHere("https://host/mcp")).toContain(
    '"-- npx -y mcp-remote https://host/mcp" in place of --url',
  );
});

test.each([
  ["ENOTFOUND", "no host of that name (ENOTFOUND)"],
  ["EPROTO", "the TLS handshake failed; write http:// for a server without TLS (EPROTO)"],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "its certificate is not trusted; name the authority's file in NODE_EXTRA_CA_CERTS (DEPTH_ZERO_SELF_SIGNED_CERT)",
  ],
  ["toString", "toString"],
])("the reason %s is in words", (reason, words) => {
  expect(sentences.upstreamUnreachable("https://host", reason)).toBe(
    `Cannot reach https://host: ${words}`,
  );
});

test("events that are not JSON-RPC are counted", () => {
  expect(sentences.foreignEvents(1, "hi")).toBe(
    'The server sent 1 event that is not JSON-RPC, "hi"; clients may reject it',
  );
  expect(sentences.foreignEvents(2_000, undefined)).toBe(
    "The server sent 2,000 events that are not JSON-RPC; clients may reject them",
  );
});
