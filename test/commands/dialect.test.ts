import { describe, expect, test } from "bun:test";
import {
  type Arguments,
  type Command,
  generalOptions,
  type RawOptions,
} from "#commands/command.ts";
import { commands } from "#commands/index.ts";
import { printOptionSpecs } from "#commands/output/output-options.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { thrownBy } from "../support/folder.ts";

/** Commands that print no result: `record` writes a calls file, `mcp` serves a client, `completion` prints a script, `dash` serves a page, `metrics` prints the one format of scrapers, `statusline` one line. */
const silent = new Set(["record", "mcp", "completion", "dash", "metrics", "statusline"]);

const servers = new Set(["run", "profile", "lock", "check", "record"]);

const required: { readonly [name: string]: RawOptions } = {
  record: { output: "a.yaml" },
  prune: { "older-than": "90d" },
  serve: { url: "http://localhost/mcp" },
};

const companions: { readonly [option: string]: RawOptions } = {
  "max-call-increase": { calls: "calls.yaml" },
  budget: { calls: "calls.yaml" },
  update: { calls: "calls.yaml" },
  "enforce-lock": { lock: "mcp-meter.lock" },
};

const all = Object.entries(commands);
const printing = all.filter(([name]) => !silent.has(name));

function fault(command: Command, options: RawOptions, operands: readonly string[] = []): string {
  const child = servers.has(command.name) ? ["server"] : undefined;
  const more = Object.keys(options).map((option) =>
    Object.hasOwn(command.options, Object.keys(companions[option] ?? {})[0] ?? "")
      ? companions[option]
      : {},
  );
  const raw = Object.assign({}, required[command.name], ...more, options);
  const args: Arguments = { options: raw, operands, child };
  return thrownBy(() => command.check(args));
}

const accepted = "(nothing was thrown)";

describe("a command that prints", () => {
  test.each(printing)("%s has --format, --json, -o FILE and --wide", (_, command) => {
    const { format, json, output, wide } = command.options;
    expect(format?.value).toMatch(/^FORMAT/);
    expect(json?.value).toBeUndefined();
    expect(json?.description).toMatch(/^same as --(?:format|summary) json$/);
    expect(output).toMatchObject({
      value: "FILE",
      short: "o",
      isPath: true,
      isCommandLineOnly: true,
    });
    expect(wide?.value).toBeUndefined();
    expect(Object.keys(printOptionSpecs)).toEqual(["json", "output", "wide"]);
  });

  test.each(printing)(
    "%s takes --json for --format json, and no other format with it",
    (_, command) => {
      expect(fault(command, { json: true })).toBe(accepted);
      expect(fault(command, { json: true, format: "json" })).toBe(accepted);
      expect(fault(command, { format: "table" })).toBe(accepted);
      expect(fault(command, { json: true, format: "table" })).toBe(
        "Cannot combine --format table with --json",
      );
      expect(fault(command, { format: "xml" })).toMatch(
        /^--format must be one of table, .*, not "xml"$/,
      );
    },
  );
});

const kinds: {
  readonly [placeholder: string]: {
    readonly good: readonly string[];
    readonly bad: readonly string[];
  };
} = {
  N: { good: ["5", "007", "2k", "0.5k"], bad: ["lots", "-1", "1.5", "0x1", " 1", "5%"] },
  "SHARE|N": { good: ["5", "2k", "5%", "0.5%"], bad: ["lots", "-1", "5 %"] },
  PERCENT: { good: ["80", "80%"], bad: ["lots", "-1", "8 %"] },
  SECONDS: { good: ["30", "0.5", "30s", "2m", "1h"], bad: ["soon", "0", "-1", "2d", "1e3"] },
  // Minutes could be months.
  AGE: { good: ["24h", "90d", "4w"], bad: ["30m", "soon", "90", "0d", "-1d"] },
  SIZE: { good: ["2000", "20k", "1.5M", "2G"], bad: ["lots", "-1", "5%"] },
  WHEN: { good: ["24h", "7d", "4w", "30m", "2026-11-01", "20261101"], bad: ["soon", "2026-13-01"] },
  "LOW,MEDIUM,HIGH": { good: ["1,2,3", "1k,4k,1.5M"], bad: ["1,2", "3,2,1", "a,b,c", "1,2,3,4"] },
  SPEC: { good: ["search=2k", "100k/session"], bad: ["lots", "search=lots"] },
  LIMIT: { good: ["2k", "search=2k", "$0.05"], bad: ["lots", "search=lots"] },
  BUDGET: { good: ["search=2k", "100k/session"], bad: ["lots", "search=lots"] },
};

const free =
  "AXIS COMMAND DIR FILE FILE|REV FORM FORMAT FORMAT[=FILE] HEADER ID NAME NAME=VARIABLE ORDER POLICY RULE SEVERITY TEXT TOOL URL ZONE [SERVER=]FILE [NAME] [URL]".split(
    " ",
  );

const valued = all.flatMap(([name, command]) =>
  Object.entries(command.options).flatMap(([option, { value }]) =>
    value === undefined ? [] : [[name, option, value, command] as const],
  ),
);

describe("an option with a value", () => {
  test("has a placeholder that is known here", () => {
    const known = new Set([...Object.keys(kinds), ...free]);
    const unknown = valued.filter(([, , value]) => !known.has(value));
    expect(unknown.map(([name, option, value]) => `${name} --${option} ${value}`)).toEqual([]);
  });

  test.each(valued)(
    "%s --%s %s refuses an empty value by its name",
    (name, option, _value, command) => {
      for (const words of [[`--${option}`, ""], [`--${option}=`]]) {
        expect(thrownBy(() => readWords(words, command.options, name))).toBe(
          `--${option} requires a value`,
        );
      }
    },
  );

  for (const [name, option, value, command] of valued) {
    const kind = kinds[value];
    if (!kind) continue;
    test(`${name} --${option} takes the forms of ${value}, and refuses others with its name`, () => {
      for (const text of kind.good)
        expect([text, fault(command, { [option]: text })]).toEqual([text, accepted]);
      for (const text of kind.bad) {
        const said = fault(command, { [option]: text });
        expect([text, said]).toEqual([text, expect.stringContaining(text.trim())]);
        expect(said).toMatch(new RegExp(`^(?:--${option} must be|Cannot read budget)`));
      }
    });
  }
});

describe("the words of a command line", () => {
  test.each(all)("%s reads options after operands, and each option once", (name, command) => {
    const specs = { ...command.options, ...generalOptions };
    const read = (...words: readonly string[]) => readWords(words, specs, name);
    const single = Object.entries(command.options).find(
      ([, { value, isRepeatable }]) => value !== undefined && isRepeatable !== true,
    );
    if (!single) return;
    const [option] = single;
    expect(read("a", `--${option}`, "x", "b")).toEqual({
      flags: { [option]: "x" },
      operands: ["a", "b"],
    });
    expect(thrownBy(() => read(`--${option}=x`, `--${option}`, "x"))).toBe(
      `--${option} is given twice; it takes one value`,
    );
    expect(thrownBy(() => read(`--${option}`))).toBe(`--${option} requires a value`);
  });

  test.each(all)("%s names the nearest option for an unknown one", (name, command) => {
    const specs = { ...command.options, ...generalOptions };
    const said = (word: string) => thrownBy(() => readWords([word], specs, name));
    expect(said("--hepl")).toBe('unknown option "--hepl"; did you mean --help?');
    expect(said("--fruit")).toBe(`unknown option "--fruit"; see "mcp-meter ${name} --help"`);
    if (command.options["json"]) {
      expect(said("--jsno")).toBe('unknown option "--jsno"; did you mean --json?');
    }
  });

  test("one letter stands for one option everywhere", () => {
    const letters = all.flatMap(([, { options }]) =>
      Object.entries({ ...options, ...generalOptions }).flatMap(([option, { short }]) =>
        short === undefined ? [] : [`${short} ${option}`],
      ),
    );
    const distinct = [...new Set(letters)].toSorted();
    expect(distinct).toEqual(["V version", "h help", "n lines", "o output"]);
  });
});
