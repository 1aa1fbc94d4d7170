import { type Platform, platformId } from "./platforms.ts";

/** The npm scope of every package: the plain name is claimed by another project. The only place that says it. */
const scope = "@mcp-meter";

export const mainPackage = `${scope}/mcp-meter`;

export function platformPackage(platform: Platform): string {
  return `${mainPackage}-${platformId(platform)}`;
}

/** The page of the project, for the formula and the manifest. The only place that says it. */
export const homepage = "https://github.com/mcp-meter/mcp-meter";

export const releasesUrl = `${homepage}/releases/download`;
