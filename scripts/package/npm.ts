// The npm packages: one with the shim, and one for each platform with its executable. None has an install script.
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import packageJson from "../../package.json" with { type: "json" };
import { manPath } from "../man-page.ts";
import { noticesPath } from "../notices.ts";
import {
  mainPackage,
  registryName,
  platformPackage,
  executableName,
  type Platform,
  platforms,
} from "./platforms.ts";
import { sha256 } from "./archive.ts";

const root = join(import.meta.dir, "..", "..");

const { version, description, keywords, license, homepage, repository, bugs } = packageJson;

const publishConfig = { access: "public", provenance: true };

// Provenance, and the links of the README on npm, need the repository.
const common = { version, license, homepage, repository, bugs, publishConfig };

export function makeMainManifest(): object {
  return {
    name: mainPackage,
    mcpName: registryName,
    description,
    keywords,
    ...common,
    bin: { "mcp-meter": "bin/mcp-meter.js" },
    // A list, because npm does not link a page named by a string.
    man: ["man/mcp-meter.1"],
    files: ["bin", "man"],
    engines: { node: ">=18" },
    // npm installs only the one for this machine's os, cpu and libc.
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [platformPackage(platform), version]),
    ),
  };
}

export function makePlatformManifest(platform: Platform): object {
  const { os, cpu, libc } = platform;
  return {
    name: platformPackage(platform),
    description: `The executable of ${mainPackage} for ${[os, cpu, libc].join(" ").trim()}`,
    ...common,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: ["bin", "mcp-meter.sha256", "third-party-notices.txt"],
    // An executable cannot be started from inside an archive.
    preferUnplugged: true,
  };
}

export function packMain(into: string): Promise<string> {
  return pack("main", into, (folder) => {
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "man"));
    copyFileSync(join(import.meta.dir, "shim.cjs"), join(folder, "bin", "mcp-meter.js"));
    chmodSync(join(folder, "bin", "mcp-meter.js"), 0o755);
    copyFileSync(join(root, manPath), join(folder, "man", "mcp-meter.1"));
    copyFileSync(join(root, "README.md"), join(folder, "README.md"));
    return makeMainManifest();
  });
}

export function packPlatform(
  platform: Platform,
  executable: string,
  into: string,
): Promise<string> {
  return pack("platform", into, (folder) => {
    const name = executableName(platform);
    mkdirSync(join(folder, "bin"));
    copyFileSync(executable, join(folder, "bin", name));
    chmodSync(join(folder, "bin", name), 0o755);
    writeFileSync(join(folder, "mcp-meter.sha256"), `${sha256(executable)}  bin/${name}\n`);
    copyFileSync(join(root, noticesPath), join(folder, "third-party-notices.txt"));
    return makePlatformManifest(platform);
  });
}

async function pack(name: string, into: string, fill: (folder: string) => object): Promise<string> {
  const folder = join(into, `${name}.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(fill(folder), undefined, 2)}\n`);
    copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
    const { stdout } = await execa({ cwd: folder })`npm ${args}`;
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    return join(into, filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
