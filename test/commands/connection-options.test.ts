import { expect, test } from "bun:test";
import type { Arguments, RawOptions } from "#commands/command.ts";
import {
  resolveServer,
  parseServerOptions,
  parseServerCommand,
} from "#commands/connection-options.ts";
import { thrownBy } from "../support/folder.ts";

const parse = (options: RawOptions, changes: Partial<Arguments> = {}) =>
  parseServerOptions({ options, operands: [], child: ["a", ""], ...changes }, "profile");

test("parseServerOptions has the documented defaults", () => {
  expect(parse({})).toEqual({
    server: { command: ["a", ""] },
    timeoutMs: 30_000,
    reading: { tokenizer: "auto", model: undefined, client: undefined, windowTokens: undefined },
    risk: undefined,
  });
});

test.each([
  ["5", 5_000],
  ["0.5", 500],
  ["86400", 86_400_000],
])("--timeout %s is %d ms", (timeout, timeoutMs) => {
  expect(parse({ timeout }).timeoutMs).toBe(timeoutMs);
});

test.each(["0", "-1", "86401", "soon", "1e3", " 3"])("--timeout %j is refused", (timeout) => {
  expect(thrownBy(() => parse({ timeout }))).toStartWith(
    "--timeout must be more than 0 and at most 86400 seconds",
  );
});

const url = "https://me:a-password@host/mcp?key=a-long-key";

test("parseServerOptions takes a URL with headers instead of a command", () => {
  const { server } = parse({ url, header: ["X-Team: garden"] }, { child: undefined });
  expect(server).toMatchObject({
    endpoint: { shown: "https://host/mcp" },
    literalHeaders: [["X-Team", "garden"]],
  });
});

test("parseServerOptions requires a command after -- or a URL, not both, and nothing before it", () => {
  const missing = 'missing server; put its command after --, as in "mcp-meter profile -- ';
  for (const child of [undefined, []]) {
    const thrown = thrownBy(() => parse({}, { child }));
    expect(thrown).toStartWith(missing);
    expect(thrown).toEndWith(", or name its URL with --url");
  }
  for (const options of [{}, { url }]) {
    expect(thrownBy(() => parse(options, { operands: ["x"] }))).toBe('unexpected argument "x"');
  }
  expect(thrownBy(() => parse({ url }))).toBe("Cannot combine --url with a command after --");
  expect(thrownBy(() => parse({ header: ["X-A: b"] }))).toBe("--header requires --url");
  expect(thrownBy(() => parse({ "header-env": ["X-A=B"] }))).toBe("--header-env requires --url");
});

test("parseServerCommand names what is missing in the words of its command", () => {
  const args = { options: {}, operands: [], child: undefined };
  expect(thrownBy(() => parseServerCommand(args, "no server"))).toBe("no server");
  expect(parseServerCommand({ ...args, child: ["a"] }, "no server")).toEqual(["a"]);
});

test("resolveServer returns header values and the secrets that no output may show", () => {
  expect(resolveServer({ server: { command: ["a"] }, timeoutMs: 5 }, {})).toEqual({
    target: { command: ["a"] },
    secrets: new Map(),
    timeoutMs: 5,
  });
  const raw = { url, "header-env": ["X-Key=KEY"] };
  const { server } = parse(raw, { child: undefined });
  const { target, secrets } = resolveServer({ server, timeoutMs: 5 }, { KEY: "value-of-key" });
  expect(target).toMatchObject({
    endpoint: {
      headers: [
        ["authorization", expect.anything()],
        ["X-Key", "value-of-key"],
      ],
    },
  });
  expect([...secrets.values()]).toEqual(
    expect.arrayContaining(["a-password", "value-of-key", "a-long-key"]),
  );
  expect(thrownBy(() => resolveServer({ server, timeoutMs: 5 }, {}))).toContain(
    "the variable KEY is not set",
  );
});
