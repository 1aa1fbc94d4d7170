import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { openPage } from "#commands/dash/command.ts";
import { Folder } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";

test("the browser gets the path of the file as its only argument", async () => {
  using folder = new Folder();
  const log = folder.at("log");
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" > '${log}.part' && /bin/mv '${log}.part' '${log}'\n`;
  chmodSync(folder.file("xdg-open", script), 0o755);
  const setting = { folder: folder.path, path: folder.path, platform: "linux" };
  await openPage("http://127.0.0.1:1/?token=a", {
    ...setting,
    tell: (text) => expect(text).toBe(""),
  });
  const args = await eventually("the browser", () => existsSync(log) && readFileSync(log, "utf8"));
  expect(args).toBe(`${folder.at("open-dash.html")}\n`);
});

test("a folder that cannot be written is one sentence", async () => {
  using folder = new Folder();
  const told: string[] = [];
  const state = folder.file("state", "not a folder");
  const setting = { folder: state, path: folder.path, platform: "linux" };
  await openPage("http://127.0.0.1:1/?token=a", { ...setting, tell: (text) => told.push(text) });
  expect(told).toEqual([
    `Cannot write ${state}/open-dash.html, the file that opens the page: EEXIST; open the address yourself`,
  ]);
});

test("the address is in a private file, and never on a command line", async () => {
  using folder = new Folder();
  const told: string[] = [];
  const setting = {
    folder: folder.at("state"),
    path: folder.path,
    tell: (text: string) => told.push(text),
  };
  const url = "http://127.0.0.1:1/?token=a&b";
  await openPage(url, { ...setting, platform: "linux" });
  await openPage(url, { ...setting, platform: "darwin" });
  const file = folder.at("state", "open-dash.html");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain("url=http://127.0.0.1:1/?token=a&amp;b");
  expect(told).toEqual([
    "Cannot open a browser: xdg-open does not start; open the address yourself",
    "Cannot open a browser: open does not start; open the address yourself",
  ]);
});
