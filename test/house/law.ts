import { posix } from "node:path";
import { importsOf, packageOf, withoutComments } from "./imports.ts";

/** A file of the language; `.tsx` for the markup of the page. */
function isSource(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** A tree of files: path from the repository's root → text. */
export type Tree = Readonly<Record<string, string>>;

/** Rooms from the ground floor up. Imports only go down: never up, never to a room beside. */
const storeys: readonly (readonly string[])[] = [
  ["text", "wire", "tokenizer"],
  ["cost", "money", "syntax", "endpoint", "http1"],
  ["records", "wrapping"],
  ["calls", "lock"],
  ["budgets"],
  ["check", "session", "reports", "imports", "telemetry"],
  ["estimators", "actions", "renderers", "importers", "clients"],
  ["os"],
  [
    "alerting",
    "sinks",
    "stores",
    "forwarder",
    "http-client",
    "http-server",
    "mcp-client",
    "mcp-server",
    "makers",
    "storage",
  ],
  ["proxy", "http", "dash"],
  ["commands"],
  ["cli.ts"],
  ["main.ts"],
];

const floors = new Map(storeys.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

/** The first floor that may touch the world: processes, files, clocks, chance. */
const worldlyFloor = storeys.findIndex((rooms) => rooms.includes("os"));

/** What belongs to no floor, files of the root and the limits: everybody may import it, it imports no room. */
const common = new Set([
  "io.ts",
  "errors.ts",
  "error-words.ts",
  "exact-sentences.ts",
  "lock-sentences.ts",
  "dash-sentences.ts",
  "mcp-sentences.ts",
  "record-sentences.ts",
  "redis-sentences.ts",
  "alert-sentences.ts",
  "policy-sentences.ts",
  "import-sentences.ts",
  "wrap-sentences.ts",
  "setup-sentences.ts",
  "http-sentences.ts",
  "telemetry-sentences.ts",
  "limits",
  "version.ts",
]);

const linesMax = 250;

const filesMax = 30;

const medianLinesMax = 60;

/** Top-level entries of the repository, dotfiles aside. */
const topLevel = new Set([
  "package.json",
  "src",
  "scripts",
  "test",
  "tsconfig.json",
  "bunfig.toml",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "docs",
  "bun.lock",
]);

/** Paths below somebody's own folder; `~` and `$HOME` are for everybody. */
const machinePath = /(?:\/(?:home|Users)\/(?!me\/|you\/|user\/|\.)[\w.-]+\/|[A-Z]:\\Users\\\w)/;

/** What only the worldly floors may say. */
const worldly = [
  [/\bBun\s*[.[]/, "touches Bun"],
  [/\bprocess\s*[.[]/, "touches the process"],
  [/\bDate\.now\b|\bnew Date\(\)/, "reads the clock"],
  [/\bperformance\s*\./, "reads the clock"],
  [/\bMath\.random\b|\bcrypto\s*\./, "leaves something to chance"],
  [/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/, "waits"],
  [/\b(?:console|fetch)\b\s*[.(]/, "touches the world"],
] as const;

function sources(tree: Tree): [path: string, text: string][] {
  return Object.entries(tree).filter(
    ([path]) => /^src\/.*\.tsx?$/.test(path) && !path.endsWith(".d.ts"),
  );
}

/** The room of a path below `src/`: its folder, or the file itself at the root. */
function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function floorOf(path: string): number | undefined {
  return floors.get(roomOf(path));
}

/** Imports only go down; relative inside a room, `#room/x.ts` across rooms. */
export function importsPointDown(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const wrong = wrongImport(path, specifier, tree);
      return wrong === undefined ? [] : [`${path}:${line}: "${specifier}" ${wrong}`];
    }),
  );
}

function wrongImport(path: string, specifier: string, tree: Tree): string | undefined {
  const isData = !isSource(specifier);
  if (packageOf(specifier) !== undefined || /^(?:node|bun):|^bun$/.test(specifier))
    return undefined;
  if (specifier.startsWith("#")) {
    const found = `src/${specifier.slice(1)}`;
    if (roomOf(found) === roomOf(path)) return "is in this room, its path must be relative";
    return wrongFloor(path, found) ?? missing(found, tree);
  }
  if (isData) return undefined;
  const found = posix.join(posix.dirname(path), specifier);
  const isAtRoot = path.split("/").length === 2;
  if (isAtRoot) return wrongFloor(path, found) ?? missing(found, tree);
  return roomOf(found) === roomOf(path)
    ? missing(found, tree)
    : "leaves its room, it must be #room/x.ts";
}

function wrongFloor(path: string, found: string): string | undefined {
  if (common.has(roomOf(found))) return undefined;
  const [from, to] = [floorOf(path), floorOf(found)];
  if (to === undefined) return "is in no room of the house";
  if (from === undefined) {
    return common.has(roomOf(path)) ? "is a room, and this file belongs to all" : undefined;
  }
  if (to < from) return undefined;
  return to > from
    ? `is on floor ${to}, above floor ${from}`
    : `is beside this room, on floor ${to}`;
}

function missing(found: string, tree: Tree): string | undefined {
  return !isSource(found) || Object.hasOwn(tree, found) ? undefined : "is not there";
}

/** No file imports itself by way of others, not even types. Names one file of each cycle. */
export function importsHaveNoCycle(tree: Tree): string[] {
  const imports = new Map(sources(tree).map(([path, text]) => [path, importedFiles(path, text)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      cycles.push(
        `${path}: imports itself, ${[...way.slice(way.indexOf(path)), path].join(" → ")}`,
      );
      return;
    }
    if (done.has(path)) return;
    done.add(path);
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function importedFiles(path: string, text: string): string[] {
  return importsOf(text).flatMap(({ specifier }) => {
    if (specifier.startsWith("#")) return [`src/${specifier.slice(1)}`];
    return specifier.startsWith(".") ? [posix.join(posix.dirname(path), specifier)] : [];
  });
}

/** A folder is read at one glance; the tokenizer's is a data structure cut into files. */
export function foldersAreSmall(tree: Tree): string[] {
  const counts = new Map<string, number>();
  for (const [path] of sources(tree)) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > filesMax && folder !== "src/tokenizer")
    .map(([folder, count]) => `${folder}: has ${count} files, at most ${filesMax} are allowed`);
}

/** The median of all files' lines, everything counted. */
export function medianIsSmall(tree: Tree): string[] {
  const lengths = sources(tree)
    .map(([, text]) => text.split("\n").length - 1)
    .toSorted((one, other) => one - other);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  return median > medianLinesMax
    ? [`src: the median file has ${median} lines, at most ${medianLinesMax} are allowed`]
    : [];
}

const exportedType = /^export (?:type|class|interface) (\w+)/gm;
const globalTypes = new Set(["Record", "Error", "Request", "Response", "Event", "Map", "Set"]);

/** One meaning a word: a type's name is exported once in the tree, and shadows no global. */
export function typesAreNamedOnce(tree: Tree): string[] {
  const homes = new Map<string, string[]>();
  for (const [path, text] of sources(tree)) {
    for (const [, name = ""] of withoutComments(text).matchAll(exportedType)) {
      homes.set(name, [...(homes.get(name) ?? []), path]);
    }
  }
  return [...homes].flatMap(([name, paths]) => [
    ...(paths.length > 1 ? [`${name}: is exported by ${paths.join(" and ")}`] : []),
    ...(globalTypes.has(name) ? [`${paths[0]}: exports ${name}, which is a global's name`] : []),
  ]);
}

/** Every room has a floor. */
export function everyRoomHasAFloor(tree: Tree): string[] {
  return sources(tree)
    .filter(([path]) => floorOf(path) === undefined && !common.has(roomOf(path)))
    .map(([path]) => `${path}: is in no room of the house`);
}

/** Only the upper floors touch the world, and only main.ts says `process`. */
export function judgementIsPure(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const isPure = (floorOf(path) ?? 0) < worldlyFloor;
    const code = withoutComments(text);
    const wrongs = worldly.filter(([said]) => isPure && said.test(code)).map(([, what]) => what);
    const foreign = importsOf(text).filter(({ specifier }) =>
      /^(?:node|bun):|^bun$/.test(specifier),
    );
    const imported = isPure ? foreign.map(({ specifier }) => `imports ${specifier}`) : [];
    const said =
      path !== "src/main.ts" && !isPure && /\bprocess\s*[.[]/.test(code)
        ? ["says process, only main.ts may"]
        : [];
    return [...wrongs, ...imported, ...said].map((reason) => `${path}: ${reason}`);
  });
}

/** Each dependency is imported by exactly one source file, and nothing else is imported. */
export function packagesHaveOneOwner(tree: Tree, dependencies: readonly string[]): string[] {
  const owners = new Map<string, Set<string>>(dependencies.map((name) => [name, new Set()]));
  const undeclared: string[] = [];
  for (const [path, text] of sources(tree)) {
    for (const { specifier } of importsOf(text)) {
      const name = packageOf(specifier);
      if (name === undefined) continue;
      const known = owners.get(name);
      if (known) known.add(path);
      else undeclared.push(`${path}: imports "${name}", which package.json does not name`);
    }
  }
  const shared = [...owners].flatMap(([name, files]) => {
    if (files.size === 1) return [];
    const who = [...files].join(" and ");
    return [`package.json: "${name}" is imported by ${who === "" ? "no file" : who}`];
  });
  return [...undeclared, ...shared];
}

const exportsValue = /^export (?:async )?(?:function|class|const)\b/m;

/** Every source file that exports a value, limits and markup aside, has a test of the same name, or a reason why not. */
export function sourcesAreTested(tree: Tree, untested: Readonly<Record<string, string>>): string[] {
  const wanting = sources(tree).filter(
    (file) => file[0].endsWith(".ts") && !hasLimits(file) && exportsValue.test(file[1]),
  );
  const isTested = (path: string): boolean =>
    testsOf(path).some((test) => Object.hasOwn(tree, test));
  const bare = wanting
    .filter(([path]) => !isTested(path) && !Object.hasOwn(untested, path))
    .map(([path]) => `${path}: has no ${testsOf(path)[0]}`);
  const idle = Object.keys(untested)
    .filter((path) => !Object.hasOwn(tree, path) || isTested(path))
    .map((path) => `${path}: is excused from a test and needs no excuse`);
  return [...bare, ...idle];
}

/** Files fit on a few screens, comments and blank lines aside, and name what they export. */
export function filesAreSmallAndNamed(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const lines = withoutComments(text)
      .split("\n")
      .filter((line) => line.trim() !== "").length;
    const long =
      lines > linesMax
        ? [`${path}: has ${lines} lines of code, at most ${linesMax} are allowed`]
        : [];
    const isDefault = /^export default\b|\bas default\b/m.test(withoutComments(text));
    return isDefault ? [...long, `${path}: has a default export`] : long;
  });
}

const hasLimits = ([path]: readonly [path: string, text: string]): boolean =>
  path.startsWith("src/limits/");

/** Every limit is used by another file. */
export function limitsAreUsed(tree: Tree): string[] {
  const words = new Map(
    sources(tree).map(([path, text]) => [path, new Set(withoutComments(text).match(/\w+/g))]),
  );
  return sources(tree)
    .filter(hasLimits)
    .flatMap(([path, text]) =>
      [...text.matchAll(/^export const (\w+)/gm)]
        .map(([, name = ""]) => name)
        .filter((name) => ![...words].some(([user, said]) => user !== path && said.has(name)))
        .map((name) => `${path}: ${name} is used by nobody`),
    );
}

const looseLimit = /^(?:export )?const (\w+(?:Max|Min)(?:Ms)?)(?:: number)? = [-\d]/gm;

/** A number that bounds something lives with the limits. */
export function limitsAreTogether(tree: Tree): string[] {
  return sources(tree)
    .filter((file) => !hasLimits(file))
    .flatMap(([path, text]) =>
      [...text.matchAll(looseLimit)].map(([, name]) => `${path}: ${name} belongs in src/limits/`),
    );
}

/** A limit without a comment is a number without a reason. */
export function limitsHaveReasons(tree: Tree): string[] {
  return sources(tree)
    .filter(hasLimits)
    .flatMap(([path, text]) => {
      const lines = text.split("\n");
      return lines.flatMap((line, at) => {
        const name = /^export const (\w+)/.exec(line)?.[1];
        const isExplained = lines[at - 1]?.trimEnd().endsWith("*/") === true;
        return name === undefined || isExplained ? [] : [`${path}: ${name} has no reason`];
      });
    });
}

const namedLimit =
  /^(?:export )?const (\w*(?:Max|Min|_MAX|_MIN)(?=[A-Z_]|\b)\w*)(?::[^=]+)? =\s+[-(\d]/gm;

/** A module's numeric `…Max` or `…Min` is a limit, and limits are in their room. */
export function limitsLiveTogether(tree: Tree): string[] {
  return sources(tree)
    .filter((file) => !hasLimits(file))
    .flatMap(([path, text]) =>
      [...withoutComments(text).matchAll(namedLimit)].map(
        ([, name]) => `${path}: ${name} is a limit, it must be in src/limits/`,
      ),
    );
}

/** The top of the repository is its table of contents. */
export function topLevelIsKnown(paths: readonly string[]): string[] {
  const tops = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  return [...tops]
    .filter((top) => !top.startsWith(".") && !topLevel.has(top))
    .map((top) => `${top}: does not belong at the top of the repository`);
}

/** No file knows the machine it was written on. */
export function filesKnowNoMachine(tree: Tree, root: string): string[] {
  return Object.entries(tree).flatMap(([path, text]) => {
    const found = text.includes(`${root}/`) ? root : machinePath.exec(text)?.[0];
    return found === undefined ? [] : [`${path}: names a path of one machine, "${found}"`];
  });
}

/** The lock file takes packages from whatever registry its reader uses. */
export function lockNamesNoHost(lock: string): string[] {
  return [...lock.matchAll(/"https?:\/\/[^"]+"/g)].map(
    ([host]) => `bun.lock: names a host, ${host}`,
  );
}

/** Paths at which a source file's test may be, the usual one first. */
function testsOf(path: string): [usual: string, slow: string] {
  const name = path.replace(/^src\//, "test/").replace(/\.ts$/, "");
  return [`${name}.test.ts`, `${name}.slow.test.ts`];
}

/** Calls of test support that start the executable. */
const startsExecutable = /\b(?:runMeter|metered|executable)\(|\bexecutable\b.*from "/;

/** `bun run fast` needs no executable: tests that start it are in test/e2e or test/faults, or named slow. */
export function executableTestsAreSlow(tree: Tree): string[] {
  return Object.entries(tree)
    .filter(
      ([path, text]) =>
        /^test\/(?!e2e\/|faults\/|house\/).*(?<!\.slow)\.test\.ts$/.test(path) &&
        startsExecutable.test(withoutComments(text)),
    )
    .map(([path]) => `${path}: starts the executable, its name must end with .slow.test.ts`);
}
