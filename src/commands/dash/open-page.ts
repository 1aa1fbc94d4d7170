import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sentences } from "#errors.ts";
import { dashOpenMs } from "#limits/dash.ts";
import type { Tell } from "#text/teller.ts";

/** The program that opens a file as a person would, by platform. */
function opener(platform: string): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

/** Where a browser is found, and the private file is made. */
export type OpeningPlace = {
  readonly folder: string;
  /** The value of PATH. */
  readonly path: string | undefined;
  readonly platform: string;
  readonly tell: Tell;
};

/**
 * Opens an address in the browser by way of a private file: on a command line, all users of this machine could read the
 * key in it. The file is removed once the browser has had the time to read it; after that its key is worth nothing.
 */
export function openPage(url: string, { folder, path, platform, tell }: OpeningPlace): void {
  const file = join(folder, "open-dash.html");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  const text = `<!doctype html><title>mcp-meter</title><meta http-equiv="refresh" content="0; url=${Bun.escapeHTML(url)}">`;
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  const [program = "", ...args] = opener(platform);
  const found = Bun.which(program, path === undefined ? {} : { PATH: path });
  if (found === null) tell(sentences.dashBrowserMissing(program));
  else Bun.spawn([found, ...args, file], { stdio: ["ignore", "ignore", "ignore"] }).unref();
  setTimeout(() => rmSync(file, { force: true }), dashOpenMs).unref();
}
