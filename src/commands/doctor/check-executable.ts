import { closeSync, readSync } from "node:fs";
import { delimiter } from "node:path";
import { inWords } from "#kit/error-words.ts";
import { runCollected } from "#kit/os/collected-child.ts";
import { openToRead } from "#kit/os/open-file.ts";
import { programOnPath, realPath } from "#kit/os/own-executable.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { version } from "#kit/version.ts";
import { type Check, ok, warning } from "./finding.ts";

const programVersionMaxMs = 5_000;

const programVersionBytesMax = 1_024;

const check = "executable";

export const checkExecutable: Check = async ({ env, executable }) => {
  const found = programOnPath("mcp-meter", env["PATH"]);
  if (found === undefined) {
    const isSearched = (env["PATH"] ?? "").split(delimiter).includes(`${env["HOME"]}/.local/bin`);
    const link = `mkdir -p ~/.local/bin && ln -s ${shellWord(executable)} ~/.local/bin/mcp-meter`;
    const fix = isSearched ? link : `${link}, and add ~/.local/bin to your PATH`;
    return [warning(check, "mcp-meter is not on the PATH; clients need its whole path", fix)];
  }
  if (realPath(found) === realPath(executable)) return [ok(check, `${found}, version ${version}`)];
  const other = await versionOf(found);
  if (other === version && isPackaged(executable) && isScript(found)) {
    return [ok(check, `${found}, version ${version}, which starts ${executable}`)];
  }
  const detail =
    other === version
      ? `${found} is another file than the one that runs, of the same version`
      : `${found} is another version than the one that runs: ${other}, not ${version}`;
  return [warning(check, detail, `ln -sf ${shellWord(executable)} ${shellWord(found)}`)];
};

/** True for the executable of an npm package: on the PATH is then the command that the package manager made. */
function isPackaged(executable: string): boolean {
  return executable.split(/[\\/]/).includes("node_modules");
}

function isScript(path: string): boolean {
  const opened = openToRead(path);
  if ("fault" in opened) return false;
  try {
    const start = Buffer.alloc(scriptMark.length);
    readSync(opened.fd, start, 0, start.length, 0);
    return start.toString("latin1") === scriptMark;
  } catch {
    return false;
  } finally {
    closeSync(opened.fd);
  }
}

const scriptMark = "#!";

async function versionOf(path: string): Promise<string> {
  const ended = await runCollected([path, "--version"], {
    maxMs: programVersionMaxMs,
    bytesMax: programVersionBytesMax,
  });
  if ("fault" in ended) return inWords(ended.fault);
  if ("limit" in ended || ended.exitCode !== 0) return "it prints none";
  const text = new TextDecoder().decode(ended.stdout).trim();
  return /^\d+\.\d+\.\d+[\w.+-]*$/.test(text) ? text : "it prints none";
}
