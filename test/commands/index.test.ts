import { importerIds } from "#history/importers/ids.ts";
import { describe, expect, test } from "bun:test";
import { parseBudgetsOptions } from "#commands/budgets/index.ts";
import { parseCheckOptions } from "#commands/check/index.ts";
import type { Arguments } from "#commands/command.ts";
import { parseCompletionOptions } from "#commands/completion/index.ts";
import { parseConfigOptions } from "#commands/config/index.ts";
import { parseCountOptions } from "#commands/count/index.ts";
import { commands } from "#commands/index.ts";
import { thrownBy } from "../support/folder.ts";
import { parseDoctorOptions } from "#commands/doctor/index.ts";
import { parseLockOptions } from "#commands/lock/options.ts";
import { parseMcpOptions } from "#commands/mcp/index.ts";
import { parseMetricsOptions } from "#commands/metrics/index.ts";
import { parseProfileChoice } from "#commands/profile/options.ts";
import { parsePruneOptions } from "#commands/prune/index.ts";
import { parseRecordOptions } from "#commands/record/index.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import { parseServeOptions } from "#commands/serve/index.ts";
import { parseRunOptions } from "#commands/run/options.ts";
import { parseImportOptions } from "#commands/import/index.ts";
import { parseValidateOptions } from "#commands/validate/index.ts";
import { parseDashOptions } from "#commands/dash/index.ts";
import { parseStatusLineOptions } from "#commands/statusline/index.ts";
import { parseTailOptions } from "#commands/tail/index.ts";
import { parseTrimOptions } from "#commands/trim/index.ts";
import { parseUnwrapOptions } from "#commands/unwrap/index.ts";
import { parseWrapOptions } from "#commands/wrap/options.ts";

const parsers: { readonly [name: string]: (args: Arguments) => object } = {
  run: parseRunOptions,
  serve: ({ options, ...args }) =>
    parseServeOptions({ ...args, options: { url: "http://localhost/mcp", ...options } }),
  report: parseReportOptions,
  import: parseImportOptions,
  validate: parseValidateOptions,
  statusline: parseStatusLineOptions,
  count: parseCountOptions,
  profile: ({ options, child, ...args }) => {
    const setup = options["settings-of"] === undefined ? {} : { configured: true };
    const isSetup = Object.hasOwn(setup, "configured");
    const choice = parseProfileChoice({
      ...args,
      options: { ...setup, ...options },
      child: isSetup ? undefined : child,
    });
    return "server" in choice ? choice.server : choice.setup;
  },
  lock: parseLockOptions,
  check: parseCheckOptions,
  record: ({ options, ...args }) =>
    parseRecordOptions({ ...args, options: { output: "a.yaml", ...options } }),
  budgets: parseBudgetsOptions,
  config: parseConfigOptions,
  tail: parseTailOptions,
  dash: parseDashOptions,
  doctor: parseDoctorOptions,
  wrap: parseWrapOptions,
  unwrap: parseUnwrapOptions,
  trim: parseTrimOptions,
  mcp: parseMcpOptions,
  metrics: parseMetricsOptions,
  completion: (args) => parseCompletionOptions({ ...args, operands: ["bash"] }),
  prune: ({ options, ...args }) =>
    parsePruneOptions({ ...args, options: { "older-than": "90d", ...options } }),
};

describe("each command", () => {
  for (const [name, command] of Object.entries(commands)) {
    test(`${name} has help, examples of itself, and an exit code for mistakes`, () => {
      expect(command.name).toBe(name);
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(command.usage).toContain(name);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line, purpose] of command.examples) {
        expect(line).toContain(name === "run" ? "mcp-meter" : `mcp-meter ${name}`);
        expect(purpose).toMatch(/^[a-z].*[^.]$/);
      }
      expect(command.usageErrorExitCode).toBe(name === "run" ? 125 : undefined);
      const codes = command.exits.map(([code]) => code);
      expect(codes).toContain(String(command.usageErrorExitCode ?? 2));
    });

    test(`${name} describes each option once, in one line without a period`, () => {
      const names = command.groups.flatMap(({ options }) => Object.keys(options));
      expect(names).toEqual([...new Set(names)]);
      for (const [option, spec] of Object.entries(command.options)) {
        expect(option).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
        expect(spec.description).toMatch(/^\S.*[^.]$/);
        expect(spec.description).not.toContain("default");
      }
    });

    test(`${name} has the defaults that help shows`, () => {
      const parse = findParser(name);
      // Others are words, such as "its own name".
      const literal = /^[\w,.%-]+$/;
      const shown = Object.entries(command.options).flatMap(([option, { default: value }]) =>
        value !== undefined && literal.test(value) ? [[option, value] as const] : [],
      );
      // What differs is not the value, but who set it.
      const base = name === "check" ? { calls: "calls.yaml" } : {};
      const all = parse({ ...base, ...Object.fromEntries(shown) });
      const {
        risk: _risk,
        isGrowthExplicit: _isNamed,
        isSinceExplicit: _isSinceNamed,
        ...explicit
      } = { ...all } as Setters;
      expect(parse(base)).toMatchObject(explicit);
    });
  }
});

function findParser(name: string): (options: Arguments["options"]) => object {
  const child = commands[name]?.usage.includes(" -- ") === true ? ["server"] : undefined;
  return (options) => parsers[name]?.({ options, operands: [], child }) ?? expect.unreachable();
}

const unknownWord = "not-a-choice";

describe("shells complete", () => {
  for (const [name, { options, operands = [] }] of Object.entries(commands)) {
    const parse = findParser(name);
    const refusal = (option: string, value: string): string =>
      thrownBy(() => parse({ [option]: value }));

    test(`for ${name} the choices that it takes, all of them and no others`, () => {
      for (const [option, { choices = [], isPath, value }] of Object.entries(options)) {
        for (const choice of choices) {
          expect([option, choice, refusal(option, choice)]).not.toEqual([
            option,
            choice,
            expect.stringContaining(`--${option} must be`),
          ]);
        }
        if (value === undefined || isPath === true) continue;
        const wanted = /must be one of (.*?)(?:, alone or followed.*)?, not/;
        const found = wanted.exec(refusal(option, unknownWord))?.[1] ?? "";
        expect([option, found]).toEqual([option, choices.join(", ")]);
      }
    });

    test(`for ${name} the operands that it takes`, () => {
      const parser = parsers[name] ?? expect.unreachable();
      const words = typeof operands === "string" ? ["some-word"] : operands;
      for (const word of words) {
        expect(parser({ options: {}, operands: [word], child: undefined })).toBeObject();
      }
      if (typeof operands === "string" || name === "completion") return;
      const child = commands[name]?.usage.includes(" -- ") === true ? ["server"] : undefined;
      const unknown = { options: {}, operands: [unknownWord], child };
      expect(thrownBy(() => parser(unknown))).toContain(`"${unknownWord}"`);
    });
  }
});

test("validate takes the beginning of a session id, even one without a digit", () => {
  const operands = ["aaaa", "ses_", "3f2a", "codex"];
  expect(parseValidateOptions({ options: {}, operands, child: undefined })).toMatchObject({
    sessions: ["aaaa", "ses_", "3f2a"],
    clients: ["codex"],
  });
  const named = { options: {}, operands: importerIds, child: undefined };
  expect(parseValidateOptions(named)).toMatchObject({ sessions: [], clients: importerIds });
});

type Setters = { readonly [name in "risk" | "isGrowthExplicit" | "isSinceExplicit"]?: unknown };
