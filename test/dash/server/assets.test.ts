import { expect, test } from "bun:test";
import { pageAssets } from "#dash/server/assets.ts";

const file = (path: string, loader: string, type: string) => ({
  path,
  loader,
  headers: { "content-type": type },
});

test("the files of an executable are served by their names, the page at the root", () => {
  const assets = pageAssets({
    files: [
      file("/$bunfs/root/index.html", "html", "text/html;charset=utf-8"),
      file("/$bunfs/root/chunk-a1.js", "js", "text/javascript;charset=utf-8"),
      file("B:\\~BUN\\root\\chunk-b2.css", "css", "text/css;charset=utf-8"),
    ],
  });
  expect([...assets.keys()]).toEqual(["/", "/chunk-a1.js", "/chunk-b2.css"]);
  expect(assets.get("/chunk-a1.js")).toEqual({
    path: "/$bunfs/root/chunk-a1.js",
    type: "text/javascript;charset=utf-8",
  });
});

test("outside of an executable there are none", () => {
  expect(pageAssets({}).size).toBe(0);
});
