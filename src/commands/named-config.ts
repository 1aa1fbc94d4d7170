import type { NamedConfig } from "#state/storage/config/config-path.ts";
import type { RawOptions } from "./command.ts";

export function namedConfig(options: RawOptions, flags: RawOptions): NamedConfig | undefined {
  const { config: file } = options;
  if (typeof file !== "string" || file === "") return undefined;
  return { file, isOnCommandLine: flags["config"] !== undefined };
}
