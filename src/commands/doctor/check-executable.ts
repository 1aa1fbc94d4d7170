import { inWords } from "#error-words.ts";
import { programVersionBytesMax, programVersionMaxMs } from "#limits/examination.ts";
import { errorCode } from "#os/error-code.ts";
import { programOnPath, realPath } from "#os/own-executable.ts";
import { shellWord } from "#text/shell-word.ts";
import { version } from "#version.ts";
import { type Check, ok, warning } from "./finding.ts";

const check = "executable";

/** The executable that a shell and clients find by its name, and its version. */
export const checkExecutable: Check = ({ env, executable }) => {
  const found = programOnPath("mcp-meter", env["PATH"]);
  if (found === undefined) {
    const fix = `ln -s ${shellWord(executable)} ~/.local/bin/mcp-meter`;
    return [warning(check, "mcp-meter is not on the PATH; clients need its whole path", fix)];
  }
  if (realPath(found) === realPath(executable)) return [ok(check, `${found}, version ${version}`)];
  const other = versionOf(found);
  const detail =
    other === version
      ? `${found} is another file than the one that runs, of the same version`
      : `${found} is another version than the one that runs: ${other}, not ${version}`;
  return [warning(check, detail, `ln -sf ${shellWord(executable)} ${shellWord(found)}`)];
};

/** The version that a program prints, or why it prints none. */
function versionOf(path: string): string {
  try {
    const { stdout, success } = Bun.spawnSync([path, "--version"], {
      stdin: "ignore",
      stderr: "ignore",
      timeout: programVersionMaxMs,
      maxBuffer: programVersionBytesMax,
    });
    const text = stdout.toString().trim();
    return success && /^\d+\.\d+\.\d+[\w.+-]*$/.test(text) ? text : "it prints none";
  } catch (error) {
    return inWords(errorCode(error));
  }
}
