import type { ToolName } from "./log-event.ts";
import { type ServerTool, serverTool } from "./tool-name.ts";

/** Caches names: most calls have one of a few. */
export class NameSplitter {
  readonly #knownServers: readonly string[];
  readonly #split = new Map<string, ServerTool | undefined>();

  constructor(knownServers: readonly string[]) {
    this.#knownServers = knownServers;
  }

  split(name: ToolName): ServerTool | undefined {
    if ("server" in name) return name;
    const key = `${name.form} ${name.joined}`;
    if (!this.#split.has(key)) this.#split.set(key, serverTool(name, this.#knownServers));
    return this.#split.get(key);
  }
}
