import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { OverflowFile } from "#proxy/overflow-file.ts";
import { bytesOf, concat, textOf } from "../support/bytes.ts";
import { Folder } from "../support/folder.ts";

/** Keeps what it is given. */
function taker() {
  const taken: Uint8Array[] = [];
  const write = (bytes: Uint8Array): undefined => {
    taken.push(bytes.slice());
  };
  return { write, text: () => textOf(concat(taken)) };
}

test("gives back what it was given, then is empty and may be used again", async () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  const large = "x".repeat(700_000);
  for (const part of [large, "é", "\n"]) file.append(bytesOf(part));
  const [first, second] = [taker(), taker()];
  await file.drain(first);
  expect(first.text()).toBe(`${large}é\n`);
  file.append(bytesOf("again\n"));
  await file.drain(second);
  expect(second.text()).toBe("again\n");
});

test("has no name while it is in use, so nothing is left behind", () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  file.append(bytesOf("secret"));
  expect(readdirSync(folder.path)).toEqual([]);
});

test("without a taker it is emptied", async () => {
  using folder = new Folder();
  const file = new OverflowFile(() => folder.at("overflow"));
  file.append(bytesOf("withheld"));
  await file.drain(undefined);
  const later = taker();
  await file.drain(later);
  expect(later.text()).toBe("");
});

test("what a disk does not take is held all the same, in order", async () => {
  const file = new OverflowFile(() => "/nowhere/at/all");
  file.append(bytesOf("not "));
  file.append(bytesOf("lost\n"));
  const took = taker();
  await file.drain(took);
  expect(took.text()).toBe("not lost\n");
  await file.drain(took);
  expect(took.text()).toBe("not lost\n");
});

test("nothing is written over", () => {
  using folder = new Folder();
  const path = folder.file("taken", "precious");
  const file = new OverflowFile(() => path);
  file.append(bytesOf("x"));
  expect(readFileSync(path, "utf8")).toBe("precious");
});
