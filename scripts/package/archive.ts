import packageJson from "../../package.json" with { type: "json" };
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describeCommands } from "../../src/commands/completion/shell-scripts.ts";
import { type ShellId, renderCompletion } from "../../src/commands/completion/command.ts";
import { shellIds } from "../../src/commands/completion/index.ts";
import { commands } from "../../src/commands/index.ts";
import { manPath } from "../man-page.ts";
import { noticesPath } from "../notices.ts";
import { executableName, type Platform, platformId } from "./platforms.ts";

const root = join(import.meta.dir, "..", "..");

const { version } = packageJson;

const completionFiles: { readonly [shell in ShellId]: string } = {
  bash: "mcp-meter.bash",
  zsh: "_mcp-meter",
  fish: "mcp-meter.fish",
};

export function archiveName(platform: Platform): string {
  return `mcp-meter-${version}-${platformId(platform)}`;
}

export async function writeArchive(
  platform: Platform,
  executable: string,
  into: string,
): Promise<string> {
  const name = archiveName(platform);
  const folder = join(into, name);
  mkdirSync(join(folder, "completions"), { recursive: true });
  try {
    const program = join(folder, executableName(platform));
    copyFileSync(executable, program);
    chmodSync(program, 0o755);
    writeDocuments(folder);
    await execa({ cwd: into })`tar ${tarFlags} -cf ${`${name}.tar.gz`} ${name}`;
    return join(into, `${name}.tar.gz`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tarFlags = [
  "--format=ustar",
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mtime=@0",
  "--mode=go-w",
  "--use-compress-program=gzip -9 -n",
];

const documents = [
  [manPath, "mcp-meter.1"],
  [noticesPath, "third-party-notices.txt"],
  ["LICENSE", "LICENSE"],
  ["README.md", "README.md"],
] as const;

function writeDocuments(folder: string): void {
  for (const [file, copy] of documents) copyFileSync(join(root, file), join(folder, copy));
  const all = describeCommands(Object.values(commands));
  for (const shell of shellIds) {
    const script = renderCompletion(shell, all, version);
    writeFileSync(join(folder, "completions", completionFiles[shell]), script);
  }
}

export function sha256(file: string): string {
  return new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
}
