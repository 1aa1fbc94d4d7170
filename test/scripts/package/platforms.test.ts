import { describe, expect, test } from "bun:test";
import bunJson from "../../../node_modules/bun/package.json" with { type: "json" };
import { makeMainManifest, makePlatformManifest } from "../../../scripts/package/npm.ts";
import {
  mainPackage,
  platformPackage,
  findPlatform,
  homepage,
  platformId,
  platforms,
  runtimePackage,
} from "../../../scripts/package/platforms.ts";
import { version } from "#kit/version.ts";

describe("each platform", () => {
  test.each(platforms.map((platform) => [platformId(platform), platform] as const))(
    "%s has a runtime that Bun publishes, and a package for its machines alone",
    (id, platform) => {
      expect(findPlatform(id)).toBe(platform);
      expect(Object.keys(bunJson.optionalDependencies)).toContain(runtimePackage(platform));
      const { os, cpu, libc } = platform;
      expect(makePlatformManifest(platform)).toMatchObject({
        name: `${mainPackage}-${id}`,
        version,
        os: [os],
        cpu: [cpu],
        ...(libc === undefined ? {} : { libc: [libc] }),
      });
    },
  );
});

test("the main package pins every platform to its own version, and runs no script", () => {
  const manifest = makeMainManifest();
  expect(manifest).toMatchObject({
    name: mainPackage,
    version,
    bin: { "mcp-meter": "bin/mcp-meter.js" },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [platformPackage(platform), version]),
    ),
  });
  expect(manifest).not.toHaveProperty("scripts");
  expect(manifest).not.toHaveProperty("dependencies");
});

test.each(
  [makeMainManifest(), ...platforms.map(makePlatformManifest)].map((manifest) => ({ manifest })),
)("$manifest.name can be published, and names its source and where to report", ({ manifest }) => {
  expect(manifest).not.toHaveProperty("private");
  expect(manifest).toMatchObject({
    homepage,
    repository: { type: "git", url: `git+${homepage}.git` },
    bugs: { url: `${homepage}/issues` },
    license: "MIT",
  });
});
