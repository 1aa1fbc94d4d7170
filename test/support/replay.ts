import { afterAll } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Definitions = {
  readonly server?: string;
  readonly version?: string;
  readonly instructions?: string;
  readonly tools: readonly Readonly<Record<string, unknown>>[];
};

const root = join(import.meta.dir, "..", "..");
const server = join(root, "test", "e2e", "fixtures", "replay-server.ts");
const collected = join(root, "..", "shared", "data", "servers");

export function collectedDefinitions(): { readonly name: string; readonly file: string }[] {
  if (!existsSync(collected)) return [];
  return readdirSync(collected)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => ({ name, file: join(collected, name) }));
}

const various: ReadonlySet<string> = new Set([
  "github.json",
  "notion.json",
  "playwright.json",
  "shopify-dev.json",
]);

/** Four that differ in length, schemas, annotations and instructions, for what does not depend on the text of each. */
export function variousDefinitions(): ReturnType<typeof collectedDefinitions> {
  return collectedDefinitions().filter(({ name }) => various.has(name));
}

export function readDefinitions(file: string): Definitions {
  const read: Definitions = JSON.parse(readFileSync(file, "utf8"));
  return read;
}

export function replay(file: string, ...flags: readonly string[]): string[] {
  return [process.execPath, server, file, ...flags];
}

export function scratch(): {
  readonly path: string;
  write(name: string, value: unknown): string;
} {
  const path = mkdtempSync(join(tmpdir(), "static-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, value) {
      const file = join(path, name);
      writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
      return file;
    },
  };
}

let sleepers = 0;

export function uniqueSeconds(): string {
  sleepers += 1;
  return `300.${process.pid}${String(sleepers).padStart(3, "0")}`;
}

export async function waitForEndOfProcessesWith(text: string): Promise<string[]> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const living = listProcessesWith(text);
    if (living.length === 0 || performance.now() > deadline) return living;
    await Bun.sleep(20);
  }
}

export function listProcessesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(join("/proc", pid, "cmdline"), "latin1");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(text));
}
