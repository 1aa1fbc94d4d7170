import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { root } from "../house/tree.ts";

/** A copy of the program in which every function records the entry into its file. */
export class TracedTree implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "traced-"));
  readonly #files: string[] = [];

  constructor() {
    for (const name of ["package.json", "tsconfig.json", "src"]) {
      cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    }
    for (const name of ["node_modules", "dist"])
      symlinkSync(join(root, name), join(this.#folder, name));
    mkdirSync(this.#traces);
    writeFileSync(this.#tracer, tracer);
    const sources = readdirSync(join(this.#folder, "src"), { recursive: true, encoding: "utf8" });
    for (const name of sources.filter((path) => /(?<!\.d)\.ts$/.test(path))) {
      this.#instrument(join(this.#folder, "src", name));
    }
  }

  command(...words: readonly string[]): string[] {
    return [process.execPath, join(this.#folder, "src/main.ts"), ...words];
  }

  get env(): Readonly<Record<string, string>> {
    return { TRACED_TO: this.#traces };
  }

  /** Files below src/ in the order of their entries, per thread, since a moment of `performance`. */
  entriesSince(sinceMs: number): readonly (readonly string[])[] {
    return readdirSync(this.#traces).map((thread) =>
      readFileSync(join(this.#traces, thread), "utf8")
        .split("\n")
        .map((line) => line.split(" "))
        .filter(([time]) => Number(time) >= sinceMs)
        .map(([, file]) => this.#files[Number(file)] ?? ""),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #traces(): string {
    return join(this.#folder, "traces");
  }

  get #tracer(): string {
    return join(this.#folder, "tracer.ts");
  }

  #instrument(path: string): void {
    const text = readFileSync(path, "utf8");
    const insertions = entryPoints(path, text, `__entered(${this.#files.length})`);
    this.#files.push(relative(this.#folder, path));
    let traced = text;
    for (const { at, code } of insertions.toSorted((a, b) => b.at - a.at)) {
      traced = traced.slice(0, at) + code + traced.slice(at);
    }
    writeFileSync(path, `import { __entered } from ${JSON.stringify(this.#tracer)};\n${traced}`);
  }
}

type Insertion = { readonly at: number; readonly code: string };

function entryPoints(path: string, text: string, entered: string): readonly Insertion[] {
  const found: Insertion[] = [];
  const enter = (body: Node | null): void => {
    if (body?.type !== "BlockStatement") return;
    // A derived constructor may use `this`, and be entered, after `super` only.
    const call = body.body.find(isSuperCall);
    found.push({ at: call ? call.end : body.start + 1, code: ` ${entered};` });
  };
  const visitor = new Visitor({
    FunctionDeclaration: ({ body }) => enter(body),
    FunctionExpression: ({ body }) => enter(body),
    ArrowFunctionExpression: ({ body }) => {
      if (body.type === "BlockStatement") return enter(body);
      found.push({ at: body.start, code: `(${entered}, (` }, { at: body.end, code: "))" });
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}

function isSuperCall(statement: Node): boolean {
  if (statement.type !== "ExpressionStatement") return false;
  const { expression } = statement;
  return expression.type === "CallExpression" && expression.callee.type === "Super";
}

/** Writes the time and the number of a file when it is entered from another one. */
const tracer = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
const folder = process.env.TRACED_TO;
const path = folder && join(folder, crypto.randomUUID());
let last = -1;
let text = "";
function flush(): void {
  if (text !== "") appendFileSync(path, text);
  last = -1;
  text = "";
}
if (path) {
  setInterval(flush, 20).unref();
  process.on("exit", flush);
}
export function __entered(file: number): void {
  if (!path || file === last) return;
  last = file;
  text += \`\${performance.timeOrigin + performance.now()} \${file}\\n\`;
  // A thread that blocks has no timers.
  if (!Bun.isMainThread) flush();
}
`;
