import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { archiveName } from "../../../scripts/package/archive.ts";
import { releasesUrl, platformId, platforms } from "../../../scripts/package/platforms.ts";
import { writeChannels } from "../../../scripts/package/release.ts";
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
