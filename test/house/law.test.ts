import { describe, expect, test } from "bun:test";
import { importsOf, packageOf } from "./imports.ts";
import * as law from "./law.ts";

/** The law is only worth something if it can be broken: small made-up trees, each with its complaint. */

const typeOf = (from: string) => `import type { X } from "${from}";`;

const filesIn = (name: string, files: number) =>
  Object.fromEntries(Array.from({ length: files }, (_, at) => [`src/${name}/${at}.ts`, ""]));

const lines = (count: number) => "x\n".repeat(count);

describe("importsOf", () => {
  test("sees types, re-exports, side effects, import() and several lines; not prose", () => {
    const text = [
      'import type { A } from "./a.ts";',
      "import {",
      "  b,",
      '} from "#wire/b.ts";',
      'export { c } from "./c.ts";',
      'import "./d.ts";',
      'const e = await import("./e.ts");',
      '// import { no } from "./no.ts";',
      '/** as in import "./nor.ts" */',
      'const trailing = 1; // from "./either.ts"',
      'const prose = ["import", "mcp-meter import", "all"];',
    ].join("\n");
    expect(importsOf(text)).toEqual([
      { specifier: "./a.ts", line: 1 },
      { specifier: "#wire/b.ts", line: 4 },
      { specifier: "./c.ts", line: 5 },
      { specifier: "./d.ts", line: 6 },
      { specifier: "./e.ts", line: 7 },
    ]);
  });

  const packages: readonly (readonly [specifier: string, name: string | undefined])[] = [
    ["yargs", "yargs"],
    ["image-size/types/png", "image-size"],
    ["@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"],
    ["node:fs", undefined],
    ["bun", undefined],
    ["bun:sqlite", undefined],
    ["#wire/line.ts", undefined],
    ["./line.ts", undefined],
    ["../package.json", undefined],
  ];
  for (const [specifier, name] of packages) {
    test(`packageOf ${specifier} is ${name ?? "none"}`, () => {
      expect(packageOf(specifier)).toBe(name);
    });
  }
});

describe("importsPointDown", () => {
  const limits = { "src/limits/lines.ts": "", "src/io.ts": "", "src/cli.ts": "" };
  type Row = readonly [
    what: string,
    path: string,
    specifier: string,
    complaint: string | undefined,
  ];
  const rows: readonly Row[] = [
    ["its own room", "src/wire/line.ts", "./skim.ts", undefined],
    ["its own room's other folder", "src/wire/deep/line.ts", "../skim.ts", undefined],
    ["a room below", "src/session/meter.ts", "#wire/skim.ts", undefined],
    ["a limit", "src/wire/line.ts", "#limits/lines.ts", undefined],
    ["a package", "src/wire/line.ts", "zod", undefined],
    ["data outside", "src/storage/vocabulary.ts", "../../dist/a.bin", undefined],
    ["the front door's cli", "src/main.ts", "./cli.ts", undefined],
    ["a root file's neighbour", "src/cli.ts", "./io.ts", undefined],
    ["a room above", "src/wire/line.ts", "#session/meter.ts", "is on floor 5, above floor 0"],
    ["a neighbour room", "src/tokenizer/x.ts", "#wire/skim.ts", "is beside this room, on floor 0"],
    [
      "a neighbour room",
      "src/sinks/x.ts",
      "#storage/folders.ts",
      "is beside this room, on floor 8",
    ],
    ["the cli from below", "src/storage/folders.ts", "#cli.ts", "is on floor 11, above floor 8"],
    [
      "its own room by #",
      "src/wire/line.ts",
      "#wire/skim.ts",
      "is in this room, its path must be relative",
    ],
    [
      "a room by ../",
      "src/session/x.ts",
      "../wire/skim.ts",
      "leaves its room, it must be #room/x.ts",
    ],
    [
      "a root file by ../",
      "src/session/x.ts",
      "../io.ts",
      "leaves its room, it must be #room/x.ts",
    ],
    ["a missing file", "src/session/x.ts", "#wire/gone.ts", "is not there"],
    ["a room that is none", "src/session/x.ts", "#attic/x.ts", "is in no room of the house"],
    [
      "a room from a file of all",
      "src/limits/lines.ts",
      "#wire/skim.ts",
      "is a room, and this file belongs to all",
    ],
  ];
  for (const [what, path, specifier, complaint] of rows) {
    test(`${path} imports ${what}: ${complaint ?? "allowed"}`, () => {
      const rooms = {
        "src/wire/skim.ts": "",
        "src/session/meter.ts": "",
        "src/storage/folders.ts": "",
        "src/attic/x.ts": "",
      };
      const tree = { ...limits, ...rooms, [path]: `import type { X } from "${specifier}";` };
      const found = law.importsPointDown(tree);
      expect(found).toEqual(
        complaint === undefined ? [] : [`${path}:1: "${specifier}" ${complaint}`],
      );
    });
  }

  test("a file in no room is named", () => {
    expect(law.everyRoomHasAFloor({ "src/attic/x.ts": "", "src/wire/x.ts": "" })).toEqual([
      "src/attic/x.ts: is in no room of the house",
    ]);
  });
});

describe("importsHaveNoCycle", () => {
  test("a chain is none", () => {
    const tree = {
      "src/a/x.ts": typeOf("./y.ts"),
      "src/a/y.ts": typeOf("#b/z.ts"),
      "src/b/z.ts": "",
    };
    expect(law.importsHaveNoCycle(tree)).toEqual([]);
  });

  test("types and rooms count", () => {
    const tree = {
      "src/a/x.ts": typeOf("./y.ts"),
      "src/a/y.ts": typeOf("#b/z.ts"),
      "src/b/z.ts": typeOf("#a/x.ts"),
    };
    expect(law.importsHaveNoCycle(tree)).toEqual([
      "src/a/x.ts: imports itself, src/a/x.ts → src/a/y.ts → src/b/z.ts → src/a/x.ts",
    ]);
  });
});

describe("foldersAreSmall", () => {
  test("thirty files pass, one more does not, the tokenizer's may be more", () => {
    expect(law.foldersAreSmall({ ...filesIn("a", 30), ...filesIn("tokenizer", 31) })).toEqual([]);
    expect(law.foldersAreSmall(filesIn("a", 31))).toEqual([
      "src/a: has 31 files, at most 30 are allowed",
    ]);
  });
});

describe("medianIsSmall", () => {
  test("a median of 60 lines passes, 61 does not", () => {
    const tree = { "src/a.ts": lines(1), "src/b.ts": lines(60), "src/c.ts": lines(900) };
    expect(law.medianIsSmall(tree)).toEqual([]);
    expect(law.medianIsSmall({ ...tree, "src/b.ts": lines(61) })).toEqual([
      "src: the median file has 61 lines, at most 60 are allowed",
    ]);
  });
});

describe("typesAreNamedOnce", () => {
  test("a name of two homes, and a name of a global", () => {
    const tree = {
      "src/a.ts": "export type Call = string;",
      "src/b.ts": "export class Call {}",
      "src/c.ts": "export type Record = string; ",
      "src/d.ts": "export type Once = string;",
    };
    expect(law.typesAreNamedOnce(tree)).toEqual([
      "Call: is exported by src/a.ts and src/b.ts",
      "src/c.ts: exports Record, which is a global's name",
    ]);
  });
});

describe("judgementIsPure", () => {
  const rows: readonly (readonly [path: string, text: string, complaint: string | undefined])[] = [
    ["src/session/x.ts", "const at = Date.now();", "reads the clock"],
    ["src/session/x.ts", "const at = new Date();", "reads the clock"],
    ["src/session/x.ts", "const at = new Date(told);", undefined],
    ["src/session/x.ts", "// Date.now() would be wrong here", undefined],
    ["src/wire/x.ts", "performance.now()", "reads the clock"],
    ["src/tokenizer/x.ts", "Bun.hash(text)", "touches Bun"],
    ["src/renderers/x.ts", "process.stdout", "touches the process"],
    ["src/estimators/x.ts", "Math.random()", "leaves something to chance"],
    ["src/session/x.ts", "setTimeout(act, 1)", "waits"],
    ["src/session/x.ts", 'import { readFileSync } from "node:fs";', "imports node:fs"],
    ["src/session/x.ts", 'import type { FileSink } from "bun";', "imports bun"],
    ["src/limits/lines.ts", "Date.now()", "reads the clock"],
    [
      "src/storage/x.ts",
      'import { readFileSync } from "node:fs"; Bun.sleep(Date.now());',
      undefined,
    ],
    ["src/storage/x.ts", "process.env", "says process, only main.ts may"],
    ["src/main.ts", "process.env", undefined],
  ];
  for (const [path, text, complaint] of rows) {
    test(`${path} with "${text}": ${complaint ?? "allowed"}`, () => {
      const wanted = complaint === undefined ? [] : [`${path}: ${complaint}`];
      expect(law.judgementIsPure({ [path]: text })).toEqual(wanted);
    });
  }
});

describe("packagesHaveOneOwner", () => {
  const one = { "src/cli.ts": 'import yargs from "yargs";' };

  test("one owner, subpaths included", () => {
    const tree = { "src/cost/image.ts": 'import "image-size/types/png";import "image-size/b";' };
    expect(law.packagesHaveOneOwner(tree, ["image-size"])).toEqual([]);
  });

  test("two owners, no owner and no declaration are named", () => {
    const tree = { ...one, "src/storage/x.ts": 'import yargs from "yargs"; import "left-pad";' };
    expect(law.packagesHaveOneOwner(tree, ["yargs", "zod"])).toEqual([
      'src/storage/x.ts: imports "left-pad", which package.json does not name',
      'package.json: "yargs" is imported by src/cli.ts and src/storage/x.ts',
      'package.json: "zod" is imported by no file',
    ]);
  });
});

describe("sourcesAreTested", () => {
  test("a file with a value and no test is named; types need none; excuses must be needed", () => {
    const tree = {
      "src/wire/a.ts": "export function a() {}",
      "src/wire/b.ts": "export const b = 1;",
      "src/wire/c.ts": "export type C = 1;",
      "src/wire/d.ts": "export class D {}",
      "src/wire/e.ts": "export const e = 1;",
      // Markup is tested in a browser.
      "src/wire/f.tsx": "export const f = 1;",
      "test/wire/b.test.ts": "",
      "test/wire/e.slow.test.ts": "",
    };
    expect(law.sourcesAreTested(tree, { "src/wire/d.ts": "said why" })).toEqual([
      "src/wire/a.ts: has no test/wire/a.test.ts",
    ]);
    expect(
      law.sourcesAreTested(tree, { "src/wire/a.ts": "", "src/wire/d.ts": "", "src/x.ts": "" }),
    ).toEqual(["src/x.ts: is excused from a test and needs no excuse"]);
    const excused = { "src/wire/a.ts": "", "src/wire/b.ts": "", "src/wire/d.ts": "" };
    expect(law.sourcesAreTested(tree, excused)).toEqual([
      "src/wire/b.ts: is excused from a test and needs no excuse",
    ]);
  });
});

describe("executableTestsAreSlow", () => {
  test("a test that starts the executable is named slow, or is in a folder of such tests", () => {
    const starts = "await runMeter(home, []);";
    const tree = {
      "test/wire/a.test.ts": starts,
      "test/wire/b.slow.test.ts": starts,
      "test/wire/c.test.ts": "// runMeter() would be slow",
      "test/e2e/d.test.ts": starts,
      "test/faults/e.test.ts": starts,
      "test/support/f.ts": starts,
    };
    expect(law.executableTestsAreSlow(tree)).toEqual([
      "test/wire/a.test.ts: starts the executable, its name must end with .slow.test.ts",
    ]);
  });
});

describe("filesAreSmallAndNamed", () => {
  test("251 lines are one too many", () => {
    const [fits, tooLong] = [250, 251].map((count) => ({ "src/wire/a.ts": "x\n".repeat(count) }));
    expect(law.filesAreSmallAndNamed(fits ?? {})).toEqual([]);
    expect(law.filesAreSmallAndNamed(tooLong ?? {})).toEqual([
      "src/wire/a.ts: has 251 lines of code, at most 250 are allowed",
    ]);
  });

  test("a default export is named, in either form", () => {
    for (const text of ["export default 1;", "export { a as default };"]) {
      expect(law.filesAreSmallAndNamed({ "src/wire/a.ts": text })).toEqual([
        "src/wire/a.ts: has a default export",
      ]);
    }
  });
});

describe("limits", () => {
  const text = "/** Why. */\nexport const usedMax = 1;\n\nexport const idleMax = 2;\n";
  const tree = { "src/limits/lines.ts": text, "src/wire/a.ts": "usedMax" };

  test("a limit nobody uses and one without a reason are named", () => {
    expect(law.limitsAreUsed(tree)).toEqual(["src/limits/lines.ts: idleMax is used by nobody"]);
    expect(law.limitsHaveReasons(tree)).toEqual(["src/limits/lines.ts: idleMax has no reason"]);
  });

  test.each([
    "const rowsMax = 3;",
    "export const waitMaxMs: number = 1_000;",
    "const sizeMin = -1;",
  ])("%s outside of the limits is named", (declaration) => {
    const [, name = ""] = /const (\w+)/.exec(declaration) ?? [];
    const loose = { ...tree, "src/wire/a.ts": `usedMax\n${declaration}\n` };
    expect(law.limitsAreTogether(loose)).toEqual([`src/wire/a.ts: ${name} belongs in src/limits/`]);
  });

  test("a value that is derived from limits may live anywhere", () => {
    const derived = { ...tree, "src/wire/a.ts": "const roomMax = usedMax - 1;\n" };
    expect(law.limitsAreTogether(derived)).toEqual([]);
  });
});

describe("limitsLiveTogether", () => {
  const rows: readonly (readonly [text: string, name: string | undefined])[] = [
    ["export const linesMax = 10;", "linesMax"],
    ["const waitMaxMs = 3_000;", "waitMaxMs"],
    ["export const callsMin: number = 5;", "callsMin"],
    ["const sizeMax =\n  1024 * 1024;", "sizeMax"],
    ["const offsetMin = -1;", "offsetMin"],
    ["const ROWS_MAX = 5;", "ROWS_MAX"],
    ["const minute = 60_000;", undefined],
    ["const linesMax = options.linesMax;", undefined],
    ["function f() {\n  const linesMax = 10;\n}", undefined],
    ["// const linesMax = 10;", undefined],
  ];
  for (const [text, name] of rows) {
    test(`${JSON.stringify(text)}: ${name ?? "allowed"}`, () => {
      expect(law.limitsLiveTogether({ "src/wire/a.ts": text })).toEqual(
        name === undefined ? [] : [`src/wire/a.ts: ${name} is a limit, it must be in src/limits/`],
      );
      expect(law.limitsLiveTogether({ "src/limits/lines.ts": text })).toEqual([]);
    });
  }
});

describe("the repository", () => {
  test("strangers at the top are named, dotfiles are not", () => {
    expect(law.topLevelIsKnown([".ci/run", "src/main.ts", "notes.txt", "tmp/a"])).toEqual([
      "notes.txt: does not belong at the top of the repository",
      "tmp: does not belong at the top of the repository",
    ]);
  });

  test("a path of one machine is named", () => {
    const root = "/some/where/repo";
    const tree = {
      "a.md": `see ${root}/src`,
      "b.md": `see ${below("home")}`,
      "c.md": `see ${below("Users")}`,
      "d.md": "see ~/x, $HOME/x, /tmp/x and /usr/bin/x",
    };
    expect(law.filesKnowNoMachine(tree, root).map((line) => line.slice(0, 4))).toEqual([
      "a.md",
      "b.md",
      "c.md",
    ]);
  });

  test("a host in the lock file is named", () => {
    expect(law.lockNamesNoHost('["a@1", "", {}, "sha512-x"]')).toEqual([]);
    expect(law.lockNamesNoHost('["a@1", "https://example.org/a.tgz", {}]')).toHaveLength(1);
  });
});

function below(folder: string): string {
  return ["", folder, "ada", "x"].join("/");
}
