import { describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { readChunks, readWholeFile } from "#kit/os/open-file.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
async function read(file: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(readChunks(file))).toString();
}

function readText(file: string, bytesMax: number): string {
  const content = readWholeFile(file, bytesMax);
  return "fault" in content ? content.fault : Buffer.from(content.bytes).toString();
}

describe("readChunks", () => {
  test("is all bytes of a file", async () => {
    const text = "line\n".repeat(500_000);
    expect(await read(folder.write("long.txt", text))).toBe(text);
    expect(await read(folder.write("empty.txt", ""))).toBe("");
  });

  test("throws a sentence with the file and the reason", async () => {
    const missing = `${folder.path}/missing`;
    expect(await read(missing).catch(String)).toBe(
      `UserError: Cannot read "${missing}": no such file or directory`,
    );
    expect(await read(folder.path).catch(String)).toEndWith(": it is a directory");
  });
});

describe("readWholeFile", () => {
  test("is all bytes of a file of at most so many, and a fault of a longer one", () => {
    const text = "line\n".repeat(500_000);
    const file = folder.write("limit.txt", text);
    expect(readText(file, text.length)).toBe(text);
    expect(readText(file, text.length - 1)).toBe(`it is larger than ${text.length - 1} bytes`);
    expect(readText(folder.write("none.txt", ""), 0)).toBe("");
  });

  test.each([
    ["reads a pipe of the shell to its end", "printf hello", 5, "hello"],
    ["stops at the limit of a pipe", "head -c 3000000 /dev/zero", 5, "it is larger than 5 bytes"],
  ])("%s", async (name, command, bytesMax, expected) => {
    const pipe = `${folder.path}/${name}`;
    Bun.spawnSync(["mkfifo", pipe]);
    await using writer = Bun.spawn(["sh", "-c", `${command} > '${pipe}'`], { stderr: "ignore" });
    const fd = openSync(pipe, "r");
    expect(readText(`/dev/fd/${fd}`, bytesMax)).toBe(expected);
    closeSync(fd);
    await writer.exited;
  });

  test("a pipe that has a name is not waited for", () => {
    const pipe = `${folder.path}/unwritten`;
    Bun.spawnSync(["mkfifo", pipe]);
    expect(readText(pipe, 5)).toBe("it is a pipe, not a regular file");
  });

  test("a file that cannot be read is the system's error code", () => {
    expect(readText(`${folder.path}/missing`, 1)).toBe("ENOENT");
    expect(readText(folder.path, 1)).toBe("EISDIR");
  });
});
