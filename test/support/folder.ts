import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "mcp-meter-test-"));

  at(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  file(name: string, text: string | Uint8Array): string {
    const path = this.at(name);
    writeFileSync(path, text);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function thrownBy(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "(nothing was thrown)";
}

export async function rejectionOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return "(nothing was thrown)";
}
