// Where people find `mcp-meter mcp`: a bundle (.mcpb) for each kind of desktop, and server.json for the MCP registry.
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import bundleSchema from "@anthropic-ai/mcpb/mcpb-manifest-v0.3.schema.json" with { type: "json" };
import { type ZipOptions, zipSync } from "fflate";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { servedTools } from "../../src/commands/mcp/command.ts";
import { noticesPath } from "../notices.ts";
import { archiveName } from "./archive.ts";
import {
  executableName,
  homepage,
  mainPackage,
  type Platform,
  platformId,
  platforms,
  registryName,
  releasesUrl,
} from "./platforms.ts";

const root = join(import.meta.dir, "..", "..");

const { version, description, keywords, license, repository, bugs } = packageJson;

// Clients that install bundles are desktop programs, and desktops have no musl.
export const bundledPlatforms = platforms.filter(({ libc }) => libc !== "musl");

export function bundleName(platform: Platform): string {
  return `${archiveName(platform)}.mcpb`;
}

export function makeBundleManifest(platform: Platform): object {
  const program = `server/${executableName(platform)}`;
  return {
    manifest_version: "0.3",
    name: "mcp-meter",
    version,
    description,
    author: { name: "mcp-meter contributors", url: homepage },
    repository: { type: repository.type, url: homepage },
    homepage,
    support: bugs.url,
    server: {
      type: "binary",
      entry_point: program,
      mcp_config: { command: `\${__dirname}/${program}`, args: ["mcp"] },
    },
    tools: servedTools.map((tool) => ({ name: tool.name, description: tool.description })),
    keywords,
    license,
    compatibility: { platforms: [platform.os] },
  };
}

const unix = 3;

// Equal files make equal bundles: no ZIP archive has an earlier date.
const mtime = new Date(1980, 0, 1);

function zipEntry(content: Uint8Array, mode = 0o644): [Uint8Array, ZipOptions] {
  return [content, { os: unix, attrs: mode << 16, mtime }];
}

export function writeBundle(platform: Platform, executable: string, into: string): string {
  const manifest = makeBundleManifest(platform);
  validate("manifest.json", bundleSchema, manifest);
  const copy = (path: string) => zipEntry(readFileSync(join(root, path)));
  const archive = zipSync({
    "manifest.json": zipEntry(new TextEncoder().encode(formatJson(manifest))),
    LICENSE: copy("LICENSE"),
    "third-party-notices.txt": copy(noticesPath),
    [`server/${executableName(platform)}`]: zipEntry(readFileSync(executable), 0o755),
  });
  const file = join(into, bundleName(platform));
  writeFileSync(file, archive);
  return file;
}

const registrySchema = "test/fixtures/mcp-registry-2025-12-11.schema.json";

/** `sums`: the SHA-256 of each bundle, by platform. */
export function makeServerListing(sums: ReadonlyMap<string, string>): object {
  const stdio = { transport: { type: "stdio" } };
  const listing = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: registryName,
    title: "mcp-meter",
    description: "Answers what your MCP servers cost in tokens and money, and what to change",
    repository: { url: homepage, source: "github" },
    websiteUrl: homepage,
    version,
    packages: [
      {
        registryType: "npm",
        registryBaseUrl: "https://registry.npmjs.org",
        identifier: mainPackage,
        version,
        runtimeHint: "npx",
        ...stdio,
        packageArguments: [{ type: "positional", value: "mcp" }],
      },
      ...bundledPlatforms.map((platform) => ({
        registryType: "mcpb",
        identifier: `${releasesUrl}/v${version}/${bundleName(platform)}`,
        fileSha256: sums.get(platformId(platform)),
        ...stdio,
      })),
    ],
  };
  const schema: unknown = JSON.parse(readFileSync(join(root, registrySchema), "utf8"));
  validate("server.json", schema, listing);
  return listing;
}

export function formatJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function validate(name: string, schema: unknown, value: object): void {
  // Not strict: published schemas have `example`, which no draft defines.
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  const isValid = ajv.compile(Object(schema));
  if (!isValid(value))
    throw new Error(`${name} does not match its schema: ${ajv.errorsText(isValid.errors)}`);
}
