import { expect, test } from "bun:test";
import { blockKinds, readBlocks } from "#tokens/cost/client-profiles/block.ts";
import { pickMedia } from "#tokens/cost/client-profiles/common.ts";
import { pngOf } from "../../../support/png.ts";

const resource = (more: object) => ({ type: "resource", resource: { uri: "a://b", ...more } });

test.each([
  [{ type: "text", text: "a" }, "text"],
  [{ type: "image", data: "AAAA", mimeType: "image/webp" }, "unreadable-image"],
  [{ type: "image", data: pngOf(2, 1), mimeType: "image/webp" }, "image"],
  [{ type: "image", data: pngOf(2, 1) }, "image"],
  [{ type: "image", data: "AAAA", mimeType: "image/svg+xml" }, "unreadable-image"],
  [{ type: "image" }, "unknown"],
  [{ type: "audio", data: "AAAA" }, "audio"],
  [{ type: "audio" }, "unknown"],
  [{ type: "resource_link", uri: "a://b" }, "link"],
  [resource({ text: "a" }), "resource-text"],
  [resource({ blob: pngOf(2, 1), mimeType: "image/png" }), "resource-image"],
  [resource({ blob: pngOf(2, 1), mimeType: "image/svg+xml" }), "resource-blob"],
  [resource({ blob: "AAAA", mimeType: "image/png" }), "resource-blob"],
  [resource({ blob: "", mimeType: "image/png" }), "resource-blob"],
  [resource({ blob: "AAAA" }), "resource-blob"],
  [resource({}), "unknown"],
  [{ type: "hologram" }, "unknown"],
  [7, "unknown"],
  [null, "unknown"],
] as const)("readBlocks: %j is of the kind %s", (raw, kind) => {
  const [block] = readBlocks([raw], false);
  expect(block?.kind).toBe(kind);
  expect(blockKinds).toContain(kind);
});

test("readBlocks gives the facts that rules use, and bytes once decoded", () => {
  const blob = resource({ blob: "AAAAAA==", mimeType: "application/zip" });
  expect(readBlocks([blob], false)[0]).toMatchObject({
    uri: "a://b",
    mimeType: "application/zip",
    bytes: 4,
    isForUser: false,
  });
  const forUser = { type: "text", text: "a", annotations: { audience: ["user"] } };
  const [read] = readBlocks([forUser], false);
  expect([read?.isForUser, read?.json()]).toEqual([true, JSON.stringify(forUser)]);
});

test("pickMedia leaves the text out", () => {
  const [block] = readBlocks([resource({ blob: "AAAA", mimeType: "image/png" })], false);
  expect(block?.parts.map(({ kind }) => kind)).toEqual(["text", "image"]);
  expect(block && pickMedia(block.parts).map(({ kind }) => kind)).toEqual(["image"]);
});
