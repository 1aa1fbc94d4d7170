import { telemetryNameCharactersMax } from "#kit/limits.ts";
import { safeName } from "#kit/text/safe-name.ts";

// Further tools are `(other)`: a backend keeps every name for weeks.
export const telemetryToolsMax = 200;

// Beyond it only the names of the newest list are remembered.
export const telemetryListedMax = 2_000;

export const otherName = "(other)";

/** At most `telemetryToolsMax`; of a known list, only its tools. A model may invent names, and a hostile server may list a new one every second. */
export class ToolNames {
  readonly #labels = new Map<string, string>();
  #listed: ReadonlySet<string> | undefined;

  /** Tools of earlier lists stay: several versions of a server may be mixed. */
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
