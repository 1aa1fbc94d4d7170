import { accessSync, lstatSync, closeSync, constants, readSync } from "node:fs";
import { catchErrorCode } from "#kit/os/file-errors.ts";
import { nameFileKind, openToRead, resolveRealPath } from "#kit/os/open-file.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { findStateFolder, mayExist } from "#state/storage/folders.ts";
import {
  readMachineId,
  locateMachineId,
  locateDamaged,
} from "#state/storage/identity/machine-id.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { type Examine, ok, warning } from "./finding.ts";
import { findConfigThatLocksDisable, isDisabled } from "../disable-switch.ts";
import { delimiter } from "node:path";
import { attempt } from "#kit/errors.ts";
import { runProgram } from "#kit/os/run-program.ts";
import { findProgramOnPath } from "#kit/os/current-executable.ts";
import { version } from "#kit/version.ts";
import { describeReason } from "#kit/sentences.ts";

const machineIdCheck = "machine id";

export const checkMachine: Examine = ({ env }) => {
  const folder = findStateFolder(env);
  return folder === undefined
    ? []
    : [examineMachineId(locateMachineId(folder), readMachineId(folder))];
};

function examineMachineId(path: string, id: string | undefined): Finding {
  // `stats` is undefined if the file is missing or its folder is inaccessible; `checkFolders` reports such a folder.
  const stats = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats) return ok(machineIdCheck, "none yet; the first session creates it");
  const quotedPath = quoteShellWord(path);
  if (!stats.isFile()) {
    const detail = `${path} is a ${nameFileKind(stats)}, not a file: records have no machine id`;
    return warning(machineIdCheck, detail, `mv ${quotedPath} ${quotedPath}.old`);
  }
  if (catchErrorCode(() => accessSync(path, constants.R_OK)) !== undefined) {
    const detail = `${path} is not readable: records have no machine id`;
    return warning(machineIdCheck, detail, `chmod u+r ${quotedPath}`);
  }
  if (id === undefined) {
    const detail = `${path} is empty or damaged; the next session creates a new id`;
    return warning(machineIdCheck, detail, `rm ${quotedPath}`);
  }
  const damagedFile = locateDamaged(path);
  if (!mayExist(damagedFile)) return ok(machineIdCheck, id);
  const detail = `${path} was damaged; since its repair, records have the new id ${id}`;
  return warning(machineIdCheck, detail, `rm ${quoteShellWord(damagedFile)}`);
}

const environmentCheck = "environment";

export const checkEnvironment: Examine = async ({ env, platform, unknownVariables }) => {
  const unknown = unknownVariables.map(({ name, nearest }) => {
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    return warning(
      environmentCheck,
      `${name} is not a variable of mcp-meter${hint}`,
      `unset ${name}`,
    );
  });
  const policyFile = await findConfigThatLocksDisable(platform);
  const effect =
    policyFile === undefined
      ? "sessions are not metered"
      : `sessions are still metered, because ${policyFile} locks "disable"`;
  const disabled = isDisabled(env)
    ? [warning(environmentCheck, `MCP_METER_DISABLE is set: ${effect}`, "unset MCP_METER_DISABLE")]
    : [];
  const findings = [...unknown, ...disabled];
  return findings.length > 0 ? findings : [ok(environmentCheck, "no unknown variable")];
};

const programVersionMaxMs = 5_000;

const programVersionBytesMax = 1_024;

const executableCheck = "executable";

export const checkExecutable: Examine = async ({ env, executable }) => {
  const programOnPath = findProgramOnPath("mcp-meter", env["PATH"]);
  if (programOnPath === undefined) {
    const isLinkFolderOnPath = (env["PATH"] ?? "")
      .split(delimiter)
      .includes(`${env["HOME"]}/.local/bin`);
    const linkCommand = `mkdir -p ~/.local/bin && ln -s ${quoteShellWord(executable)} ~/.local/bin/mcp-meter`;
    const suffix = isLinkFolderOnPath ? "" : ", and neither is ~/.local/bin";
    const detail = `mcp-meter is not on the PATH${suffix}; clients need the full path of mcp-meter`;
    return [warning(executableCheck, detail, linkCommand)];
  }
  if (resolveRealPath(programOnPath) === resolveRealPath(executable))
    return [ok(executableCheck, `${programOnPath}, version ${version}`)];
  const found = await readVersion(programOnPath);
  if (found.version === version && isPackaged(executable) && isScript(programOnPath)) {
    return [
      ok(
        executableCheck,
        `${programOnPath}, version ${version}: a script that starts ${executable}`,
      ),
    ];
  }
  return [
    warning(
      executableCheck,
      `${programOnPath} ${describeOtherProgram(found)}`,
      `ln -sf ${quoteShellWord(executable)} ${quoteShellWord(programOnPath)}`,
    ),
  ];
};

type FoundVersion =
  { readonly version: string } | { readonly version?: undefined; readonly fault: string };

function describeOtherProgram(found: FoundVersion): string {
  if (found.version === undefined) return `is not mcp-meter ${version}: ${found.fault}`;
  return found.version === version
    ? "is not the running executable, but has the same version"
    : `has version ${found.version}, not ${version}`;
}

// With npm, the program on the PATH is a script that starts the executable in `node_modules`.
function isPackaged(executable: string): boolean {
  return executable.split(/[\\/]/).includes("node_modules");
}

function isScript(path: string): boolean {
  const opened = openToRead(path);
  if ("fault" in opened) return false;
  try {
    const start = Buffer.alloc(shebang.length);
    readSync(opened.fd, start, 0, start.length, 0);
    return start.toString("latin1") === shebang;
  } catch {
    return false;
  } finally {
    closeSync(opened.fd);
  }
}

const shebang = "#!";

async function readVersion(path: string): Promise<FoundVersion> {
  const ended = await runProgram([path, "--version"], {
    maxMs: programVersionMaxMs,
    bytesMax: programVersionBytesMax,
  });
  if ("fault" in ended) return { fault: describeReason(ended.fault) };
  if ("limit" in ended || ended.exitCode !== 0) return { fault: "it prints no version" };
  const text = new TextDecoder().decode(ended.stdout).trim();
  return /^\d+\.\d+\.\d+[\w.+-]*$/.test(text)
    ? { version: text }
    : { fault: "it prints no version" };
}
