import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import { resolveConfig } from "#commands/configured-arguments.ts";
import { serveCommand } from "#commands/serve/index.ts";
import { headersIn, parseServeOptions, serveOptionGroups } from "#commands/serve/options.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const url = "https://me:word@host/mcp?key=secret";
const parsed = (options: RawOptions = {}, operands: readonly string[] = []) =>
  parseServeOptions({ options: { url, ...options }, operands, child: undefined });

test("the URL alone: a free port, no headers, no end", () => {
  expect(parsed()).toMatchObject({
    upstream: { shown: "https://host/mcp", host: "host" },
    headers: { literal: [], fromEnv: [] },
    unenforced: [],
    port: 0,
    idleExitMs: undefined,
    budgets: [],
    summary: "table",
  });
});

test("each option has its value", () => {
  const options = {
    header: ["X-Team: garden", "X-Empty:"],
    "header-env": ["Authorization=TOKEN"],
    port: "4321",
    "idle-exit": "10m",
    server: "garden",
  };
  expect(parsed(options)).toMatchObject({
    headers: {
      literal: [
        ["X-Team", "garden"],
        ["X-Empty", ""],
      ],
      fromEnv: [["Authorization", "TOKEN"]],
    },
    port: 4321,
    idleExitMs: 600_000,
    server: "garden",
  });
  expect(parsed({ "idle-exit": "off" }).idleExitMs).toBeUndefined();
});

test.each([
  [{ url: "secret" }, "--url must be"],
  [{ header: "secret" }, "--header must be"],
  [{ header: ": secret" }, "--header must be"],
  [{ header: "two words: secret" }, "--header must be"],
  [{ header: "X-A: secret\r\nX-B: 1" }, "--header must be"],
  [{ "header-env": "secret" }, "--header-env must be"],
  [{ "header-env": "X=secret word" }, "--header-env must be"],
  [{ port: "65536" }, "--port must be a whole number of at most 65535"],
  [{ "idle-exit": "never" }, "--idle-exit must be"],
])("%j is refused, and no secret is repeated", (options, sentence) => {
  const thrown = thrownBy(() => parsed(options));
  expect(thrown).toContain(sentence);
  expect(thrown).not.toContain("secret");
});

test("a URL is required, and nothing else is", () => {
  const bare = { options: {}, operands: [], child: undefined };
  expect(thrownBy(() => parseServeOptions(bare))).toContain("--url https://example.com/mcp");
  expect(thrownBy(() => parsed({}, ["more"]))).toBe('unexpected argument "more"');
});

test("limits of a config file are named, and not taken", () => {
  const budgets = JSON.stringify([{ tool: "x", limit: 1 }]);
  const options = parsed({ budgets, lock: "x.json", "enforce-lock": true, annotate: true });
  expect(options.unenforced).toEqual(["budgets", "annotate", "lock", "enforce-lock"]);
  expect(options.isAnnotating).toBe(false);
  expect(options).toMatchObject({ budgets: [], lockFile: undefined, isLockEnforced: false });
  const names = serveOptionGroups.flatMap((group) => Object.keys(group.options));
  expect(names).not.toContain("budget");
  expect(names).not.toContain("annotate");
});

const headers = (fromEnv: readonly (readonly [string, string])[], env: Record<string, string>) =>
  headersIn({ literal: [["X-Team", "garden"]], fromEnv }, env);

test("a policy that locks limits is not a mistake, and its limits are not taken either", () => {
  using folder = new Folder();
  const text =
    '{"locked": ["budgets", "max_repeats"], "budgets": [{"limit": 1}], "max_repeats": 2}';
  const place = { file: folder.file("etc.json", text), kind: "system", isImplicit: true } as const;
  const words = { operands: [], child: undefined };
  const line = { command: serveCommand, words, explicit: { url }, places: [place] };
  const { options, mistakes } = resolveConfig(line, {});
  expect(mistakes).toEqual([]);
  const { unenforced, budgets, repeatsMax } = parseServeOptions({ ...words, options });
  expect(unenforced).toContain("locked-budgets");
  expect([budgets, repeatsMax]).toEqual([[], undefined]);
});

describe("headersIn", () => {
  test("a bare token of Authorization is one of Bearer, others are as they are", () => {
    const names = [
      ["Authorization", "A"],
      ["authorization", "B"],
      ["X-Api-Key", "A"],
    ] as const;
    expect(headers(names, { A: " secret\n", B: "Basic secret" })).toEqual([
      ["X-Team", "garden"],
      ["Authorization", "Bearer secret"],
      ["authorization", "Basic secret"],
      ["X-Api-Key", "secret"],
    ]);
  });

  test.each([{}, { A: "" }, { A: " " }, { A: "secret\u0000" }, { A: "secret\nX: 1" }])(
    "a variable of %j is a mistake",
    (env: Record<string, string>) => {
      const thrown = thrownBy(() => headers([["Authorization", "A"]], env));
      expect(thrown).toBe(
        'Cannot send the header "Authorization": the variable A is not set or cannot be sent',
      );
    },
  );
});
