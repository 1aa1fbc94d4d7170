/** `bun parse-lines.ts FOLDER`: parses each line of all files below a folder and does nothing with it, as a bare reader. */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

const newline = 0x0a;
const chunk = new Uint8Array(1024 * 1024);
let lines = 0;

for (const entry of readdirSync(process.argv[2] ?? ".", { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) lines += parseFile(join(entry.parentPath, entry.name));
}
console.log(JSON.stringify({ lines }));

function parseFile(path: string): number {
  const fd = openSync(path, "r");
  let kept: Uint8Array = new Uint8Array();
  let parsed = 0;
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
    const bytes = Buffer.concat([kept, chunk.subarray(0, read)]);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      JSON.parse(bytes.toString("utf8", from, end));
      parsed += 1;
      from = end + 1;
    }
    kept = bytes.subarray(from);
  }
  closeSync(fd);
  return parsed;
}
