import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import packageJson from "../../package.json" with { type: "json" };
import { compileExecutable } from "../compile.ts";
import {
  bunTarget,
  executableName,
  executableSuffix,
  ownPlatform,
  type Platform,
  platformId,
  runtimePackage,
} from "./platforms.ts";

const root = join(import.meta.dir, "..", "..");

export async function buildExecutable(platform: Platform): Promise<string> {
  await execa({ cwd: root, stdio: "inherit" })`${process.execPath} scripts/build.ts`;
  const id = platformId(platform);
  if (id === platformId(ownPlatform())) return join(root, "dist", "mcp-meter");
  const file = join(root, "dist", "executables", id, executableName(platform));
  await compileExecutable({
    file,
    runtime: await fetchRuntime(platform),
    target: bunTarget(platform),
    isLinux: platform.os === "linux",
  });
  return file;
}

async function fetchRuntime(platform: Platform): Promise<string> {
  const version = packageJson.engines.bun;
  const folder = join(root, "dist", "runtimes", `${platformId(platform)}-${version}`);
  const file = join(folder, "package", "bin", `bun${executableSuffix(platform.os)}`);
  if (existsSync(file)) return file;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const name = `${runtimePackage(platform)}@${version}`;
  const { stdout } =
    await execa`npm pack --json --ignore-scripts --pack-destination ${fresh} ${name}`;
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  await execa({ cwd: fresh })`tar -xzf ${filename}`;
  rmSync(join(fresh, filename));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return file;
}
