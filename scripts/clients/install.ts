import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { textAt } from "#wire/json.ts";

/** Installs a package from npm's registry, as it is configured, into a folder; returns the version that came. */
export async function install(
  packageName: string,
  version: string,
  folder: string,
): Promise<string> {
  const options = ["--no-save", "--no-audit", "--no-fund", "--no-update-notifier"];
  const spec = `${packageName}@${version}`;
  const { failed, stderr } = await execa("npm", ["install", ...options, "--prefix", folder, spec], {
    cwd: folder,
    reject: false,
    stdin: "ignore",
  });
  if (failed) throw new Error(`Cannot install ${spec}: ${lastLines(stderr)}`);
  const manifest = join(folder, "node_modules", packageName, "package.json");
  return textAt(JSON.parse(readFileSync(manifest, "utf8")), "version") ?? version;
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-3).join(" ");
}
