import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRange, formatRanges } from "#state/storage/vocabulary-bytes.ts";
import { encodings, vocabularyFile } from "../../scripts/vocabulary.ts";
import { executable } from "../support/servers.ts";
import { makeHome, runBare, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const isLinux = process.platform === "linux";
const title = formatRanges([]).trimEnd();

test.skipIf(!isLinux)("the executable knows where its vocabularies are", () => {
  const bytes = readFileSync(executable());
  const text = placesIn(bytes);
  for (const encoding of encodings) {
    const { offset = 0, length = 0 } = findRange(text, encoding) ?? {};
    const packed = readFileSync(vocabularyFile(encoding));
    expect(bytes.subarray(offset, offset + length).equals(packed)).toBe(true);
  }
});

test.skipIf(!isLinux)("an executable whose bytes have moved counts the same (slow)", async () => {
  const home = makeHome();
  try {
    const bytes = readFileSync(executable());
    const text = placesIn(bytes);
    bytes.write(text.replaceAll(/=\d/g, "=9"), bytes.indexOf(text), "latin1");
    const moved = join(home.path, "moved");
    writeFileSync(moved, bytes);
    chmodSync(moved, 0o755);
    for (const program of [executable(), moved]) {
      const options = { input: "hello world", env: home.env };
      expect((await runBare([program, "count", "-"], options)).stdout).toBe("2\n");
    }
  } finally {
    home.remove();
  }
});

function placesIn(bytes: Buffer): string {
  const at = bytes.indexOf(`${title} o200k_base=`);
  return bytes.toString("latin1", at, at + formatRanges(encodings).length);
}
