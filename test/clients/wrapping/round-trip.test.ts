import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { parseJsonc } from "#kit/syntax/jsonc.ts";
import { parseYaml } from "#kit/syntax/yaml.ts";
import { isObject, type JsonObject, readMember } from "#wire/json.ts";
import { unwrapEntries, wrapEntries } from "#clients/wrapping/edit-entries.ts";
import { type RandomChoices, anyChoices, shuffled } from "../../support/random-choices.ts";
import { front } from "../../support/wrapping.ts";
import type { SettingsLanguage } from "#clients/configured-entries.ts";

// Ordinary texts of a settings file, and unusual ones.
const word = fc.oneof(
  fc.constantFrom(
    "npx",
    "-y",
    "--",
    "/usr/bin/my server",
    "C:\\srv.exe",
    "${input:key}",
    "é",
    "a, b",
    "#x",
    "x:y",
    "it's",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
);

type Entry = { readonly command: string; readonly args: readonly string[] | undefined };

const entries: fc.Arbitrary<Entry> = fc.record({
  command: word.filter((text) => text.trim() !== ""),
  args: fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined }),
});

function jsonDocument({ command, args }: Entry, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const gap = (): string =>
    draw.pick([
      "",
      " ",
      eol,
      `${eol}\t\t`,
      `${eol}  `,
      ' /* , " */ ',
      `// x" ]${eol}`,
      `${eol}      `,
    ]);
  const literal = (text: string): string => {
    const plain = JSON.stringify(text);
    return draw.pick([
      plain,
      plain,
      plain.replace(/[a-z]/, (letter) => {
        return `\\u00${letter.charCodeAt(0).toString(16)}`;
      }),
    ]);
  };
  const list = (items: readonly string[], [open, close]: readonly [string, string]): string => {
    const comma = items.length > 0 ? draw.pick(["", ","]) : "";
    const inside = items.map((item) => `${gap()}${item}${gap()}`).join(",");
    return `${open}${inside === "" ? gap() : inside}${comma}${gap()}${close}`;
  };
  const member = (name: string, value: string): string => `"${name}"${gap()}:${gap()}${value}`;
  const members = [
    member("command", literal(command)),
    ...(args === undefined ? [] : [member("args", list(args.map(literal), ["[", "]"]))]),
    member("env", draw.pick(["{}", '{"A":"b","A":"c"}', "12345678901234567890", "1.0e3"])),
  ];
  const sibling = member("b", '{"command":"other","args":["--"]}');
  const a = member("a", list(shuffled(members, draw), ["{", "}"]));
  const servers = member("s", list(shuffled([sibling, a], draw), ["{", "}"]));
  const unrelated = member("x", draw.pick(["null", '"\\u00e9\\/"', "[1,2,]", "false"]));
  return `${gap()}${list(shuffled([servers, unrelated], draw), ["{", "}"])}${gap()}`;
}

function tomlDocument({ command, args }: Entry, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const space = (): string => draw.pick(["", " ", "   ", "\t"]);
  const comment = (): string => draw.pick(["", "", ` # "] = '`]);
  const literal = (text: string): string => {
    const basic = JSON.stringify(text).replaceAll("\u007f", "\\u007f");
    const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.includes("'");
    return draw.pick([basic, `""${basic}""`, ...(isPlain ? [`'${text}'`, `'''${text}'''`] : [])]);
  };
  const set = (key: string, value: string): string => `${key}${space()}=${space()}${value}`;
  const isInline = draw.pick([true, false]);
  const lineGap = (): string => draw.pick(["", " ", eol, `${eol}  `, ` # ]${eol}    `]);
  const array = (items: readonly string[]): string => {
    const end = items.length > 0 ? draw.pick(["", ","]) : "";
    return `[${items.map((item) => `${lineGap()}${item}${lineGap()}`).join(",")}${end}${lineGap()}]`;
  };
  const key = (name: string): string => draw.pick([name, `"${name}"`]);
  const lines = shuffled(
    [
      set(key("command"), literal(command)),
      ...(args === undefined ? [] : [set(key("args"), array(args.map(literal)))]),
      set("startup_timeout_sec", draw.pick(["20.0", "1_000", "0x1F", "1979-05-27T07:32:00Z"])),
    ],
    draw,
  );
  const before = draw.pick(["", `# top${eol}`, `model = "m"${comment()}${eol}${eol}`]);
  if (isInline) {
    return `${before}[s]${comment()}${eol}a = {${space()}${lines.join(` ,${space()}`)}${space()}}${comment()}${eol}b = { command = 'x' }${draw.pick(["", eol])}`;
  }
  const margin = draw.pick(["", "  ", "\t"]);
  const prefix = draw.pick(["", "", "s.a."]);
  const header = prefix === "" ? `${margin}[s.${key("a")}]${comment()}${eol}` : "";
  const body = lines.map((line) => `${margin}${prefix}${line}${comment()}`).join(eol);
  const after = draw.pick([
    "",
    eol,
    `${eol}[s.a.env]${eol}A = "b"${eol}`,
    `${eol}[s.b]${eol}command="x"`,
  ]);
  return `${before}${header}${body}${after}`;
}

function yamlDocument({ command, args }: Entry, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const comment = (): string => draw.pick(["", "", " # x: [", "   # '"]);
  const literal = (text: string): string => {
    const double = JSON.stringify(text).replaceAll("\u007f", "\\u007f");
    const isPlain =
      /^[\w/.-][\w@./\\ -]*$/.test(text) &&
      !/ $|^[-.\d_]|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
    const isSingle = /^[\x20-\x7e]*$/.test(text);
    return draw.pick([
      double,
      ...(isPlain ? [text, text] : []),
      ...(isSingle ? [`'${text.replaceAll("'", "''")}'`] : []),
    ]);
  };
  const step = draw.pick(["  ", "    "]);
  const isFlow = draw.pick([true, false, false]);
  const flowList = (items: readonly string[]): string =>
    `[${items.join(draw.pick([", ", " , "]))}]`;
  if (isFlow) {
    const members = [
      `command: ${literal(command)}`,
      ...(args === undefined ? [] : [`args: ${flowList(args.map((arg) => JSON.stringify(arg)))}`]),
      "env: {}",
    ];
    return `x: 1${comment()}${eol}s: {a: {${shuffled(members, draw).join(", ")}}}${comment()}${eol}`;
  }
  const margin = step.repeat(2);
  const blockList = (items: readonly string[]): string => {
    const inner = draw.pick([margin, `${margin}${step}`]);
    return `${comment()}${items.map((item) => `${eol}${draw.pick(["", `${inner}# c${eol}`])}${inner}-${draw.pick([" ", "   "])}${item}${comment()}`).join("")}`;
  };
  const written = args?.map(literal);
  const list =
    written === undefined
      ? []
      : [
          `args:${written.length > 0 && draw.pick([true, false]) ? blockList(written) : ` ${flowList(args?.map((one) => JSON.stringify(one)) ?? [])}${comment()}`}`,
        ];
  const members = [`command: ${literal(command)}${comment()}`, ...list, `env: {A: b}${comment()}`];
  const body = shuffled(members, draw)
    .map((line) => `${margin}${line}`)
    .join(eol);
  return `# top${eol}x: &x 1.0${eol}s:${comment()}${eol}${step}a:${comment()}${eol}${body}${eol}${step}b: {command: y}${eol}z: *x${draw.pick(["", eol])}`;
}

function parseValue(text: string, language: SettingsLanguage): Made {
  if (language === "toml") return split(Bun.TOML.parse(text));
  const read = language === "yaml" ? parseYaml(text) : parseJsonc(text);
  if ("fault" in read) throw new Error(`${read.fault}: ${text}`);
  return split(read.value);
}

type Made = { readonly entry: JsonObject; readonly remainder: unknown };

function split(value: unknown): Made {
  const servers = readMember(value, "s");
  const entry = readMember(servers, "a");
  if (!isObject(value) || !isObject(servers) || !isObject(entry)) throw new Error("no entry");
  return { entry, remainder: { ...value, s: { ...servers, a: {} } } };
}

const makers = { json: jsonDocument, toml: tomlDocument, yaml: yamlDocument } as const;

describe.each(["json", "toml", "yaml"] as const)("documents in %s", (language) => {
  const entryPlace = { path: ["s", "a"], form: "command" } as const;

  test("are wrapped with the same meaning and come back byte for byte", () => {
    let wrappedCount = 0;
    let count = 0;
    fc.assert(
      fc.property(entries, anyChoices, (made, draw) => {
        const text = makers[language](made, draw);
        const before = parseValue(text, language);
        const { command, args } = before.entry;
        expect([command, args]).toEqual([made.command, made.args && [...made.args]]);
        count += 1;
        const wrapped = wrapEntries({ text, language }, [{ ...entryPlace, front }]);
        if (wrapped.refused.size > 0) {
          expect(wrapped.text).toBe(text);
          return;
        }
        wrappedCount += 1;
        const after = parseValue(wrapped.text, language);
        const [meter, ...words] = front;
        const moved = [...words, made.command, ...(made.args ?? [])];
        expect(after.entry).toEqual({ ...before.entry, command: meter, args: moved });
        expect(after.remainder).toEqual(before.remainder);
        const back = unwrapEntries({ text: wrapped.text, language }, [
          { ...entryPlace, count: front.length },
        ]);
        expect(back.text).toBe(text);
        const flags = ["--budget", "9k"];
        const more = { ...entryPlace, front: flags, at: front.length - 1 };
        const extended = wrapEntries({ text: wrapped.text, language }, [more]);
        expect(extended.refused.size).toBe(0);
        expect(parseValue(extended.text, language).entry).toEqual({
          ...after.entry,
          args: moved.toSpliced(front.length - 2, 0, ...flags),
        });
        const wordsBefore = front.length + flags.length;
        const bare = unwrapEntries({ text: extended.text, language }, [
          { ...entryPlace, count: wordsBefore },
        ]);
        expect(bare.text).toBe(text);
        const shown = wrapEntries({ text: extended.text, language }, [
          {
            ...entryPlace,
            front: [],
            at: front.length - 1 + flags.length,
            dropped: flags.map((_, at) => front.length - 1 + at),
          },
        ]);
        expect([shown.text, shown.refused.size]).toEqual([wrapped.text, 0]);
        const elsewhere = `${wrapped.text.trimEnd()}\n${language === "json" ? "/* later */" : "# later"}\n`;
        const late = unwrapEntries({ text: elsewhere, language }, [
          { ...entryPlace, count: front.length },
        ]);
        expect(late.text.trimEnd()).toBe(
          `${text.trimEnd()}\n${language === "json" ? "/* later */" : "# later"}`,
        );
      }),
      { numRuns: 75 },
    );
    // Only what cannot be moved is refused, such as an unquoted text with a comma.
    expect(wrappedCount / count).toBeGreaterThan(0.9);
  });
});
