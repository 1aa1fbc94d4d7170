import { findMeterWord } from "#clients/configured-entries.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";
import { findProgramOnPath } from "#kit/os/current-executable.ts";
import { wrapSentences } from "./sentences.ts";

export function buildFrontWords(
  command: string,
  rawName: string,
  flags: readonly string[],
): readonly string[] {
  const hasExitRule = flags.some((flag) => /^--exit-code(?:=|$)/.test(flag));
  return [
    command,
    ...buildServerFlag(rawName),
    ...(hasExitRule ? [] : ["--exit-code", "child"]),
    ...flags,
    "--",
  ];
}

/** After a space, a name that begins with a dash would be taken for an option. Leaves out an empty name. */
function buildServerFlag(rawName: string): readonly string[] {
  if (rawName === "") return [];
  return rawName.startsWith("-") ? [`--server=${rawName}`] : ["--server", rawName];
}

const cachePattern = /[/\\](?:_npx|bunx-[^/\\]*|pnpm(?:-cache)?[/\\]dlx|dlx-\d+)[/\\]/;

// If this program is on the PATH, returns its path there, which survives upgrades. Throws UserError for a
// path that `unwrap` would not recognize, or that will not last.
export function findMeterCommand(path: string | undefined, executable: string): string {
  const found = findProgramOnPath("mcp-meter", path);
  const command =
    found !== undefined && resolveRealPath(found) === resolveRealPath(executable)
      ? found
      : findLastingPath(executable);
  if (findMeterWord([command]) === undefined)
    throw makeRefusal(wrapSentences.wrapNameUnknown(command));
  if (cachePattern.test(command)) throw makeRefusal(wrapSentences.wrapFromCache(command));
  return command;
}

// pnpm installs mcp-meter under a path with its version, and links to it from one without.
function findLastingPath(executable: string): string {
  const link = executable.replace(/([/\\]\.pnpm[/\\])[^/\\]+[/\\](?=node_modules[/\\])/, "$1");
  return resolveRealPath(link) === resolveRealPath(executable) ? link : executable;
}

function makeRefusal(sentence: string): UserError {
  return new UserError(sentence, exitCodes.failed);
}
