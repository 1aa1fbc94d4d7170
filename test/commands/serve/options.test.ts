import { expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import { resolveConfig } from "#commands/apply-config-files.ts";
import { parseServeOptions, serveCommand } from "#commands/serve/index.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const url = "https://me:word@host/mcp?key=secret";
const parsed = (options: RawOptions = {}, operands: readonly string[] = []) =>
  parseServeOptions({ options: { url, ...options }, operands, child: undefined });

test("only a URL: a free port, no headers, no end", () => {
  expect(parsed()).toMatchObject({
    upstream: {
      endpoint: { shown: "https://host/mcp", host: "host" },
      literalHeaders: [],
      headerVariables: [],
    },
    port: 0,
    budgets: [],
    summary: "table",
  });
});

test("each option has its value", () => {
  const options = {
    header: ["X-Team: garden"],
    "header-env": ["Authorization=TOKEN"],
    port: "4321",
    server: "garden",
  };
  expect(parsed(options)).toMatchObject({
    upstream: {
      literalHeaders: [["X-Team", "garden"]],
      headerVariables: [["Authorization", "TOKEN"]],
    },
    port: 4321,
    server: "garden",
  });
});

test.each([
  [{ url: "secret" }, "--url must be"],
  ...["65536", "abc", "-1", "1.5"].map(
    (port) => [{ port }, `--port must be a whole number from 0 to 65535, not "${port}"`] as const,
  ),
])("%j is refused, and no secret is repeated", (options, sentence) => {
  const thrown = thrownBy(() => parsed(options));
  expect(thrown).toContain(sentence);
  expect(thrown).not.toContain("secret");
});

test("a URL is required, and nothing else is", () => {
  const bare = { options: {}, operands: [], child: undefined };
  expect(thrownBy(() => parseServeOptions(bare))).toContain("--url https://example.com/mcp");
  expect(thrownBy(() => parsed({}, ["more"]))).toBe('unexpected argument "more"');
  expect(thrownBy(() => parsed({}, [url]))).toStartWith(
    "unexpected argument; name a URL with --url, as in ",
  );
  const behind = { options: { url }, operands: [], child: ["npx"] };
  expect(thrownBy(() => parseServeOptions(behind))).toStartWith(
    '"mcp-meter serve" meters a URL and takes no command after --',
  );
});

test("limits are those of run", () => {
  const budgets = JSON.stringify([{ tool: "x", limit: 1 }]);
  const options = parsed({ budgets, lock: "x.json", "enforce-lock": true, annotate: true });
  expect(options).toMatchObject({ lockFile: "x.json", isLockEnforced: true, isAnnotating: true });
  expect(options.budgets).toMatchObject([{ tool: "x", limit: 1 }]);
  expect(thrownBy(() => parsed({ budget: ["x=many"] }))).toContain('"many" is not a number');
});

test("a policy that locks options that only run has is not a mistake, and its limits apply", () => {
  using folder = new Folder();
  const text =
    '{"locked": ["budgets", "max_repeats", "forwarder"], "budgets": [{"limit": 1}], "max_repeats": 2}';
  const system = { file: folder.file("etc.json", text), kind: "system", isImplicit: true } as const;
  const words = { operands: [], child: undefined };
  const line = { command: serveCommand, words, explicit: { url }, configLocations: [system] };
  const { options, mistakes } = resolveConfig(line, {});
  expect(mistakes).toEqual([]);
  const { budgets, repeatsMax } = parseServeOptions({ ...words, options });
  expect(budgets).toMatchObject([{ limit: 1 }]);
  expect(repeatsMax).toBe(2);
});
