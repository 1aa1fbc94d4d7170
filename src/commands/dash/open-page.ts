import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { startDiscarded } from "#kit/os/collected-child.ts";
import { errorCode } from "#kit/os/error-code.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import type { Tell } from "#kit/text/teller.ts";
import { dashSentences } from "./sentences.ts";

// A cold browser takes seconds to start.
const dashOpenMs = 60_000;

function opener(platform: string): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

export type OpeningPlace = {
  readonly folder: string;
  readonly path: string | undefined;
  readonly platform: string;
  readonly tell: Tell;
};

/**
 * Opens an address in the browser by way of a private file: on a command line, all users of this machine could read the
 * key in it. The file is removed once the browser has had the time to read it.
 */
export async function openPage(
  url: string,
  { folder, path, platform, tell }: OpeningPlace,
): Promise<void> {
  const file = join(folder, "open-dash.html");
  const text = `<!doctype html><title>mcp-meter</title><meta http-equiv="refresh" content="0; url=${Bun.escapeHTML(url)}">`;
  const fault = writePrivately(file, text);
  if (fault !== undefined) return tell(dashSentences.dashNotOpened(file, fault));
  const [program = "", ...args] = opener(platform);
  const found = Bun.which(program, path === undefined ? {} : { PATH: path });
  try {
    if (found === null) tell(dashSentences.dashBrowserMissing(program));
    else await startDiscarded([found, ...args, file]);
  } catch {
    tell(dashSentences.dashBrowserMissing(program));
  }
  setTimeout(() => rmSync(file, { force: true }), dashOpenMs).unref();
}

/** Why the file was not written: a clause or a system error code. An earlier one may have been left by a page that was killed. */
function writePrivately(file: string, text: string): string | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
  } catch (error) {
    return errorCode(error);
  }
  return replaceFile(file, text);
}
