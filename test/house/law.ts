import { posix } from "node:path";
import { importsOf, packageOf, withoutComments } from "./imports.ts";

function isSource(path: string): boolean {
  return /\.tsx?$/.test(path);
}

export type Tree = Readonly<Record<string, string>>;

/** The top of the house first: a file imports only from its own wing and from those below it. */
const wings: readonly string[] = [
  "main.ts",
  "cli.ts",
  "commands",
  "screens",
  "transport",
  "state",
  "clients",
  "history",
  "check",
  "meter",
  "lock",
  "records",
  "tokens",
  "wire",
  "kit",
];

/** All other code is pure: it has no clock, no I/O and no chance. */
const worldlyFolders = [
  "main.ts",
  "cli.ts",
  "commands/",
  "screens/dash/",
  "transport/",
  "state/",
  "check/mcp-client/",
  "kit/os/",
];

const linesMax = 400;

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

/** What only worldly code may say. */
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

function wingOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function isWorldly(path: string): boolean {
  return worldlyFolders.some((folder) => path.startsWith(`src/${folder}`));
}

export function importsPointDown(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const wrong = wrongImport(path, specifier, tree);
      return wrong === undefined ? [] : [`${path}:${line}: "${specifier}" ${wrong}`];
    }),
  );
}

function wrongImport(path: string, specifier: string, tree: Tree): string | undefined {
  const found = foundAt(path, specifier);
  if (found === undefined) return undefined;
  const isRelative = !specifier.startsWith("#");
  const [from, to] = [wings.indexOf(wingOf(path)), wings.indexOf(wingOf(found))];
  if (from === to && !isRelative) return "is in this wing, its path must be relative";
  if (from !== to && isRelative && path.split("/").length > 2) {
    return "leaves its wing, it must be #wing/x.ts";
  }
  if (to < from) return `is in ${wings[to]}, above ${wings[from]}`;
  if (isWorldly(found) && !isWorldly(path)) return "touches the world, and this file is pure";
  return missing(found, tree);
}

/** Undefined for packages, and for data next to a file. */
function foundAt(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}`;
  if (packageOf(specifier) !== undefined || /^(?:node|bun):|^bun$/.test(specifier)) {
    return undefined;
  }
  return isSource(specifier) ? posix.join(posix.dirname(path), specifier) : undefined;
}

function missing(found: string, tree: Tree): string | undefined {
  return !isSource(found) || Object.hasOwn(tree, found) ? undefined : "is not there";
}

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

export function wingsAreKnown(tree: Tree): string[] {
  const entries = new Set(sources(tree).map(([path]) => wingOf(path)));
  return [...entries]
    .filter((entry) => !wings.includes(entry))
    .map((entry) => `src/${entry}: is no wing of the house`);
}

export function judgementIsPure(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const isPure = !isWorldly(path);
    const code = withoutComments(text);
    const wrongs = worldly.filter(([said]) => isPure && said.test(code)).map(([, what]) => what);
    // Pure functions of the runtime: one breaks lines, the other checks bytes.
    const pure = /import \{ (?:wrapAnsi|isUtf8) \} from "[^"]+";/;
    const imports = importsOf(text.replace(pure, ""));
    const foreign = imports.filter(({ specifier }) => /^(?:node|bun):|^bun$/.test(specifier));
    const imported = isPure ? foreign.map(({ specifier }) => `imports ${specifier}`) : [];
    const said =
      path !== "src/main.ts" && !isPure && /\bprocess\s*[.[]/.test(code)
        ? ["says process, only main.ts may"]
        : [];
    return [...wrongs, ...imported, ...said].map((reason) => `${path}: ${reason}`);
  });
}

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

export function filesAreSmallAndNamed(tree: Tree): string[] {
  return sources(tree).flatMap(([path, text]) => {
    const lines = text.split("\n").length - 1;
    const long =
      lines > linesMax ? [`${path}: has ${lines} lines, at most ${linesMax} are allowed`] : [];
    const isDefault = /^export default\b|\bas default\b/m.test(withoutComments(text));
    return isDefault ? [...long, `${path}: has a default export`] : long;
  });
}

export function topLevelIsKnown(paths: readonly string[]): string[] {
  const tops = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  return [...tops]
    .filter((top) => !top.startsWith(".") && !topLevel.has(top))
    .map((top) => `${top}: does not belong at the top of the repository`);
}

export function filesKnowNoMachine(tree: Tree, root: string): string[] {
  return Object.entries(tree).flatMap(([path, text]) => {
    const found = text.includes(`${root}/`) ? root : machinePath.exec(text)?.[0];
    return found === undefined ? [] : [`${path}: names a path of one machine, "${found}"`];
  });
}

export function lockNamesNoHost(lock: string): string[] {
  return [...lock.matchAll(/"https?:\/\/[^"]+"/g)].map(
    ([host]) => `bun.lock: names a host, ${host}`,
  );
}

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

/** A limit is in the file of the code that it bounds, unless that code is in several wings. */
export function sharedLimitsBoundSeveralWings(tree: Tree): string[] {
  const shared = "src/kit/limits.ts";
  const files = sources(tree);
  const others = files.filter(([path]) => path !== shared);
  const names = [...(tree[shared] ?? "").matchAll(/^export const (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  const lonely = names.filter((name) => {
    const word = new RegExp(`\\b${name}\\b`);
    return (
      new Set(others.filter(([, text]) => word.test(text)).map(([path]) => wingOf(path))).size < 2
    );
  });
  return [
    ...others
      .filter(([path]) => path.endsWith("/limits.ts"))
      .map(([path]) => `${path}: limits are in the files that they bound, or in ${shared}`),
    ...lonely.map((name) => `${shared}: ${name} bounds one wing, so it belongs there`),
  ];
}
