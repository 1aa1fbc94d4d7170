import { type Platform, platformId } from "./platforms.ts";

/** The npm scope of every package: the plain name is claimed by another project. The only place that says it. */
const scope = "@mcp-meter";

/** The package that users install. The shim adds the id of a platform to this name. */
export const mainPackage = `${scope}/mcp-meter`;

/** The package with the executable of a platform. */
export function platformPackage(platform: Platform): string {
  return `${mainPackage}-${platformId(platform)}`;
}

/** Where releases are published, for the formula and the manifest. The only place that says it. */
export const releasesUrl = "https://github.com/mcp-meter/mcp-meter/releases/download";
