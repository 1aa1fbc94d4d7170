// Writes docs/third-party-notices.txt: the packages that the bundler puts into the executable, with their
// licences. A test fails when the file is stale.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { buildValidators } from "./validators.ts";
import { buildVocabularies } from "./vocabulary.ts";

const root = join(import.meta.dir, "..");

/** Path of the notices from the repository's root. */
export const noticesPath = "docs/third-party-notices.txt";

/** One third-party work inside the executable. */
export type Notice = {
  /** As `yargs 18.2.0`. */
  readonly name: string;
  /** The licence's SPDX id. */
  readonly id: string;
  /** The licence itself, with the copyright line. */
  readonly text: string;
};

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.`;

const bsd3 = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that
the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
   following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
   following disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or
   promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY
DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR
OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH
DAMAGE.`;

/** Licences of packages that publish only the name of theirs. */
const unpublished: Readonly<Record<string, string>> = {
  ndjson: `Copyright (c) ndjson contributors\n\n${bsd3}`,
};

/** Works in the executable that are not npm packages. */
const others: readonly Notice[] = [
  {
    name: `Bun ${packageJson.engines.bun}, the runtime`,
    id: "MIT",
    text: `Copyright (c) Oven and the contributors of Bun

Bun links JavaScriptCore (LGPL-2.1) and the libraries that it lists, with their licences and how to relink
them, at https://github.com/oven-sh/bun/blob/main/LICENSE.md

${mit}`,
  },
  {
    name: "The vocabularies o200k_base and cl100k_base of tiktoken",
    id: "MIT",
    text: `Copyright (c) OpenAI, Shantanu Jain\n\n${mit}`,
  },
];

/** Folders of the packages that the executable is bundled from, relative to the root, sorted. */
export async function bundledPackages(): Promise<string[]> {
  await Promise.all([buildValidators(), buildVocabularies()]);
  const entrypoints = [join(root, "src", "main.ts")];
  const { metafile } = await Bun.build({ entrypoints, root, target: "bun", metafile: true });
  const folders = Object.keys(metafile?.inputs ?? {}).map(packageFolder);
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
}

/** The innermost `node_modules/<package>` of a path. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** What the package in `folder` asks to be reproduced. Throws when its licence is not found. */
export function noticeOf(folder: string): Notice {
  const published: { readonly name: string; readonly version: string; readonly license: string } =
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { name, version, license } = published;
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined ? unpublished[name] : readFileSync(join(root, folder, file), "utf8");
  if (text === undefined) throw new Error(`Cannot find the licence of "${name}" in ${folder}`);
  return { name: `${name} ${version}`, id: license, text };
}

/** The whole file: works with the same licence text stand together, in the order of their names. */
export function renderNotices(notices: readonly Notice[]): string {
  const byText = new Map<string, Set<string>>();
  for (const { name, id, text } of notices) {
    const normal = text.replaceAll("\r\n", "\n").trim();
    byText.set(normal, (byText.get(normal) ?? new Set()).add(`${name} (${id})`));
  }
  const sections = [...byText].map(([text, names]) => `${[...names].join("\n")}\n\n${text}`);
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `${[heading, ...sections].join(rule)}\n`;
}

const heading = `Third-party notices

The mcp-meter executable contains the works below, each under its own licence.
Generated by scripts/notices.ts from the bundle and the installed packages.`;

/** The notices as they must be today. */
export async function currentNotices(): Promise<string> {
  return renderNotices([...others, ...(await bundledPackages()).map(noticeOf)]);
}

if (import.meta.main) writeFileSync(join(root, noticesPath), await currentNotices());
