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
});
