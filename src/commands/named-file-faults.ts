import { isAbsolute } from "node:path";
import type { Io } from "#io.ts";
import { maskSecrets } from "#text/mask-secrets.ts";
import type { Command, RawOptions } from "./command.ts";
import type { ConfigurableLine, ResolvedConfig } from "./configured-arguments.ts";
import { setVariable } from "./environment.ts";
import { examineParts, type PartFault } from "./run/examine-parts.ts";
import { parseRunOptions } from "./run/options.ts";

export type NamedFileFault = PartFault & {
  readonly place: string;
  /** A session in another folder may find the file. */
  readonly isRelative: boolean;
};

export type Examined = {
  readonly line: ConfigurableLine & { readonly command: Pick<Command, "options" | "check"> };
  readonly resolved: ResolvedConfig;
};

/** Changes nothing. Masks secrets in failures. */
export async function namedFileFaults(
  { line, resolved }: Examined,
  env: Io["env"],
): Promise<readonly NamedFileFault[]> {
  const { options, implicit } = resolved;
  const given = parseRunOptions({ ...line.words, options, config: { implicit, faults: [] } });
  const faults = await examineParts(given);
  return faults.map((fault) => ({
    ...fault,
    ...describeFailure(fault, options[fault.option]),
    place: placeOf(fault.option, { line, resolved }, env),
  }));
}

function describeFailure(
  { failure }: PartFault,
  value: RawOptions[string],
): Pick<NamedFileFault, "failure" | "isRelative"> {
  const isRelative = typeof value === "string" && !isAbsolute(value);
  return { failure: `${maskSecrets(failure)}${isRelative ? relativeNote : ""}`, isRelative };
}

const relativeNote = "; the path is relative to the folder of each session";

export function placeOf(option: string, { line, resolved }: Examined, env: Io["env"]): string {
  const spec = line.command.options[option];
  const variable = isGiven(option, line.explicit) && spec && setVariable(option, spec, env);
  if (typeof variable === "string") return variable;
  const origin = resolved.merged.get(option)?.origin;
  return origin?.file ?? `--${option}`;
}

function isGiven(option: string, explicit: RawOptions): boolean {
  return explicit[option] !== undefined;
}
