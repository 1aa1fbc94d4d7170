import {
  telemetryListedMax,
  telemetryNameCharactersMax,
  telemetryToolsMax,
} from "#limits/telemetry.ts";
import { safeName } from "#text/safe-name.ts";

/** Stands for everything that has no series of its own. */
export const otherName = "(other)";

/**
 * The names of tools in labels, at most `telemetryToolsMax`: once a list of tools is known, those in it. A model may invent a
 * name, and a hostile server may list a new one every second.
 */
export class ToolNames {
  readonly #labels = new Map<string, string>();
  #listed: ReadonlySet<string> | undefined;

  /** Takes a list of tools. Those of earlier lists stay: sessions of several versions of a server may be mixed. */
  list(names: readonly string[]): void {
    const all = new Set([...(this.#listed ?? []), ...names]);
    this.#listed = all.size <= telemetryListedMax ? all : new Set(names);
  }

  labelOf(tool: string): string {
    const known = this.#labels.get(tool);
    if (known !== undefined) return known;
    const isRefused = this.#labels.size >= telemetryToolsMax || this.#listed?.has(tool) === false;
    if (isRefused) return otherName;
    const label = safeName(tool, telemetryNameCharactersMax);
    this.#labels.set(tool, label);
    return label;
  }
}
