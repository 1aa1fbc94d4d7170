import { readFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };

export type Platform = {
  readonly os: "linux" | "darwin" | "win32";
  readonly cpu: "x64" | "arm64";
  readonly libc?: "glibc" | "musl";
};

export const platforms: readonly Platform[] = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "linux", cpu: "x64", libc: "musl" },
  { os: "linux", cpu: "arm64", libc: "musl" },
  { os: "darwin", cpu: "arm64" },
  { os: "darwin", cpu: "x64" },
  { os: "win32", cpu: "x64" },
  { os: "win32", cpu: "arm64" },
];

/** `linux-x64`, `linux-x64-musl`, `win32-arm64`: the end of a package's name, which the shim computes too. */
export function platformId({ os, cpu, libc }: Platform): string {
  return `${os}-${cpu}${libc === "musl" ? "-musl" : ""}`;
}

export function bunTarget({ os, cpu, libc }: Platform): Bun.Build.CompileTarget {
  if (os === "linux" && libc === "musl") return `bun-linux-${cpu}-musl`;
  return `bun-${os === "win32" ? "windows" : os}-${cpu}`;
}

export function runtimePackage({ os, cpu, libc }: Platform): string {
  const name = os === "win32" ? "windows" : os;
  return `@oven/bun-${name}-${cpu === "arm64" ? "aarch64" : cpu}${libc === "musl" ? "-musl" : ""}`;
}

export function executableName({ os }: Platform): string {
  return `mcp-meter${executableSuffix(os)}`;
}

export function executableSuffix(os: Platform["os"]): string {
  return os === "win32" ? ".exe" : "";
}

export function findPlatform(id: string): Platform {
  const found = platforms.find((platform) => platformId(platform) === id);
  if (found) return found;
  throw new Error(
    `There is no platform "${id}"; use one of ${platforms.map(platformId).join(", ")}`,
  );
}

export function ownPlatform(): Platform {
  const isMusl = process.platform === "linux" && mentionsMusl("/usr/bin/ldd");
  return findPlatform(`${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`);
}

function mentionsMusl(file: string): boolean {
  try {
    return readFileSync(file, "latin1").includes("musl");
  } catch {
    return false;
  }
}

/** The plain name is claimed by another project. */
const scope = "@mcp-meter";

export const mainPackage = `${scope}/mcp-meter`;

export function platformPackage(platform: Platform): string {
  return `${mainPackage}-${platformId(platform)}`;
}

/** The name of `mcp-meter mcp` in the MCP registry, which compares it with `mcpName` of the npm package. */
export const registryName = "io.github.mcp-meter/mcp-meter";

export const { homepage } = packageJson;

export const releasesUrl = `${homepage}/releases/download`;
