import type { RawOption } from "#state/storage/config/config-file.ts";
import type { ReadConfig } from "#state/storage/config/read-configs.ts";

type Values = { readonly [name: string]: RawOption };

export function readConfig(
  kind: "system" | "user" | "named",
  general: Values,
  settings: {
    readonly locked?: readonly string[];
    readonly servers?: { readonly [name: string]: Values };
  } = {},
): ReadConfig {
  const sections = Object.entries(settings.servers ?? {}).map(
    ([name, options]) => [name, new Map(Object.entries(options))] as const,
  );
  return {
    location: {
      file: kind === "system" ? "/etc/c" : "/home/c",
      kind,
      isImplicit: kind !== "named",
    },
    layer: {
      general: new Map(Object.entries(general)),
      servers: new Map(sections),
      locked: settings.locked ?? [],
    },
  };
}
