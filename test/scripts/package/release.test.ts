import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { archiveName } from "../../../scripts/package/archive.ts";
import { releasesUrl, platformId, platforms } from "../../../scripts/package/platforms.ts";
import {
  bundledPlatforms,
  bundleName,
  makeBundleManifest,
} from "../../../scripts/package/listing.ts";
import { makeMainManifest } from "../../../scripts/package/npm.ts";
import { writeChannels, writeListing } from "../../../scripts/package/write-release.ts";
import { Folder } from "../../support/folder.ts";
import { version } from "#kit/version.ts";

const sums = new Map(
  platforms.map((platform, at) => [platformId(platform), String(at).repeat(64)] as const),
);

test("writeChannels fills the formula, the manifest and the Dockerfile", () => {
  using folder = new Folder();
  const files = writeChannels(sums, folder.path);
  expect(files.map((file) => basename(file))).toEqual([
    "mcp-meter.rb",
    "mcp-meter.json",
    "Dockerfile",
  ]);
  const [formula = "", manifest = "", dockerfile = ""] = files.map((file) =>
    readFileSync(file, "utf8"),
  );
  for (const text of [formula, manifest, dockerfile]) {
    expect(text).toContain(version);
    expect(text).not.toContain("{{");
  }
  for (const platform of platforms) {
    const { os, libc } = platform;
    const text = os === "win32" ? manifest : formula;
    const url = `"${releasesUrl}/v${version}/${archiveName(platform)}.tar.gz"`;
    const isOffered = libc !== "musl";
    expect([platformId(platform), text.includes(url)]).toEqual([platformId(platform), isOffered]);
    const line = new RegExp(`${url.replaceAll(".", "\\.")},?\\s+(?:sha256|"hash":) "(\\d{64})"`);
    if (isOffered) expect(line.exec(text)?.[1]).toBe(sums.get(platformId(platform)) ?? "");
  }
  expect(JSON.parse(manifest)).toMatchObject({ bin: "mcp-meter.exe", license: "MIT" });
});

test("writeChannels leaves out a channel whose archives were not built", () => {
  using folder = new Folder();
  const windows = new Map([...sums].filter(([id]) => id.startsWith("win32")));
  expect(writeChannels(windows, folder.path).map((file) => basename(file))).toEqual([
    "mcp-meter.json",
    "Dockerfile",
  ]);
});

test("server.json offers the npm package, which has its name, and every bundle with its sum", () => {
  using folder = new Folder();
  const [file = ""] = writeListing(sums, folder.path);
  expect(basename(file)).toBe("server.json");
  const { name, packages } = JSON.parse(readFileSync(file, "utf8"));
  const manifest = makeMainManifest();
  expect(manifest).toMatchObject({ mcpName: name });
  const [npm, ...bundles] = packages;
  expect(npm).toMatchObject({
    identifier: Reflect.get(manifest, "name"),
    version,
    packageArguments: [{ type: "positional", value: "mcp" }],
  });
  expect(bundles).toEqual(
    bundledPlatforms.map((platform) => ({
      registryType: "mcpb",
      identifier: `${releasesUrl}/v${version}/${bundleName(platform)}`,
      fileSha256: sums.get(platformId(platform)),
      transport: { type: "stdio" },
    })),
  );
});

test("server.json is not written without every bundle, nor when its schema rejects it", () => {
  using folder = new Folder();
  const some = new Map([...sums].filter(([id]) => id !== "darwin-arm64"));
  expect(writeListing(some, folder.path)).toEqual([]);
  const wrong = new Map([...sums, ["linux-x64", "no sum"]] as const);
  expect(() => writeListing(wrong, folder.path)).toThrow(
    /^server\.json does not match its schema: .*fileSha256/,
  );
});

test.each(bundledPlatforms.map((platform) => [platformId(platform), platform] as const))(
  "the bundle for %s starts the executable in it",
  (_, platform) => {
    const program = `server/mcp-meter${platform.os === "win32" ? ".exe" : ""}`;
    expect(makeBundleManifest(platform)).toMatchObject({
      version,
      server: {
        type: "binary",
        entry_point: program,
        mcp_config: { command: `\${__dirname}/${program}`, args: ["mcp"] },
      },
      compatibility: { platforms: [platform.os] },
    });
  },
);
