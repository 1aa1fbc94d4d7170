import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { OverflowFile } from "#state/storage/scratch-paths.ts";
import { bytesOf, concat, textOf } from "../../support/bytes.ts";
import { Folder } from "../../support/folder.ts";

function recordingTarget() {
  const written: Uint8Array[] = [];
  const write = (bytes: Uint8Array): undefined => {
    written.push(bytes.slice());
  };
  return { write, text: () => textOf(concat(written)) };
}

test("OverflowFile returns what was appended, then is empty and may be used again", async () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  const large = "x".repeat(700_000);
  for (const chunk of [large, "é", "\n"]) file.append(bytesOf(chunk));
  const [first, second] = [recordingTarget(), recordingTarget()];
  await file.drain(first);
  expect(first.text()).toBe(`${large}é\n`);
  file.append(bytesOf("again\n"));
  await file.drain(second);
  expect(second.text()).toBe("again\n");
});

test("OverflowFile has no name while it is in use, so nothing is left behind", () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  file.append(bytesOf("secret"));
  expect(readdirSync(folder.path)).toEqual([]);
});

test("OverflowFile is emptied without a target", async () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  file.append(bytesOf("withheld"));
  await file.drain(undefined);
  const later = recordingTarget();
  await file.drain(later);
  expect(later.text()).toBe("");
});

test("OverflowFile holds what the disk does not take, in order", async () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("missing", "overflow"));
  file.append(bytesOf("not "));
  file.append(bytesOf("lost\n"));
  const target = recordingTarget();
  await file.drain(target);
  expect(target.text()).toBe("not lost\n");
  await file.drain(target);
  expect(target.text()).toBe("not lost\n");
});

test("OverflowFile overwrites no file", () => {
  using folder = new Folder();
  const path = folder.file("taken", "precious");
  const file = new OverflowFile(() => path);
  file.append(bytesOf("x"));
  expect(readFileSync(path, "utf8")).toBe("precious");
});
