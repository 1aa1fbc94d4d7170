import packageJson from "../package.json" with { type: "json" };

/** Version of mcp-meter. */
export const version: string = packageJson.version;
