import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import {
  resolveEndpoint,
  parseUrlOptions,
  makeOperandError,
} from "#commands/connection-options.ts";
import { thrownBy } from "../support/folder.ts";

const url = "https://me:word@host/mcp?key=secret";
const parsed = (options: RawOptions = {}) => {
  const requested = parseUrlOptions({ url, ...options });
  if (!requested) throw new Error("no URL");
  return requested;
};

describe("parseUrlOptions", () => {
  test("without a URL there is none", () => {
    expect(parseUrlOptions({})).toBeUndefined();
  });

  test("each option has its value", () => {
    const header = ["X-Team: garden", "X-Empty:", "Host: inner"];
    expect(parsed({ header, "header-env": ["Authorization=TOKEN"] })).toMatchObject({
      endpoint: { shown: "https://host/mcp", host: "host" },
      literalHeaders: [
        ["X-Team", "garden"],
        ["X-Empty", ""],
        ["Host", "inner"],
      ],
      headerVariables: [["Authorization", "TOKEN"]],
    });
  });

  test.each([
    [{ url: "secret" }, "--url must be"],
    [{ header: "secret" }, "--header must be"],
    [{ header: ": secret" }, "--header must be"],
    [{ header: "two words: secret" }, "--header must be"],
    [{ header: "X-A: secret\r\nX-B: 1" }, "--header must be"],
    [
      { header: "Content-Length: secret" },
      '--header cannot send "Content-Length": this header controls the connection',
    ],
    [
      { header: "connection: secret" },
      '--header cannot send "connection": this header controls the connection',
    ],
    [
      { "header-env": "Transfer-Encoding=A" },
      '--header-env cannot send "Transfer-Encoding": this header controls the connection',
    ],
    [{ "header-env": "secret" }, "--header-env must be"],
    [{ "header-env": "X=secret word" }, "--header-env must be"],
  ])("%j is refused, and no secret is repeated", (options, sentence) => {
    const thrown = thrownBy(() => parsed(options));
    expect(thrown).toContain(sentence);
    expect(thrown).not.toContain("secret");
  });
});

test("an operand that is a URL is answered with --url, and not quoted", () => {
  expect(makeOperandError("https://host/mcp?key=secret", "check").message).toBe(
    'unexpected argument; name a URL with --url, as in "mcp-meter check --url https://example.com/mcp"',
  );
  expect(makeOperandError("more", "check").message).toBe('unexpected argument "more"');
});

const headers = (fromEnv: readonly string[], env: Record<string, string>) =>
  resolveEndpoint(parsed({ header: ["X-Team: garden"], "header-env": fromEnv }), env).headers;

describe("resolveEndpoint", () => {
  test("a bare Authorization token gets Bearer, other values stay", () => {
    const names = ["Authorization=A", "authorization=B", "X-Api-Key=A"];
    expect(headers(names, { A: " token\n", B: "Basic token" })).toEqual([
      ["authorization", `Basic ${Buffer.from("me:word").toString("base64")}`],
      ["X-Team", "garden"],
      ["Authorization", "Bearer token"],
      ["authorization", "Basic token"],
      ["X-Api-Key", "token"],
    ]);
  });

  test.each([{}, { A: "" }, { A: " " }, { A: "secret\u0000" }, { A: "secret\nX: 1" }])(
    "a variable of %j is a mistake",
    (env: Record<string, string>) => {
      const thrown = thrownBy(() => headers(["Authorization=A"], env));
      expect(thrown).toBe(
        'Cannot send the header "Authorization": the variable A is not set, is empty, or contains a character that no header may have',
      );
    },
  );
});
