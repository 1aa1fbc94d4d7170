import { createHmac } from "node:crypto";
import { expect, test } from "bun:test";
import { KeptKey, type Ask } from "#dash/page/kept-key.ts";

const key = "00ff10ab";

function asked(answers: Readonly<Record<string, unknown>>) {
  const addresses: string[] = [];
  const ask: Ask = async (address) => {
    addresses.push(address);
    const [path = ""] = address.split("?");
    const answer = answers[path];
    return { ok: answer !== undefined, json: async () => answer };
  };
  return { addresses, kept: new KeptKey(ask) };
}

const settled = () => new Promise((done) => setTimeout(done, 0));

test("the key is asked for once, and a challenge is answered with its HMAC", async () => {
  const { addresses, kept } = asked({ "/api/key": { key }, "/comeback": { challenge: "c&1" } });
  kept.keep();
  kept.keep();
  await settled();
  await kept.prove();
  const proof = createHmac("sha256", key).update("c&1").digest("hex");
  expect(addresses).toEqual(["/api/key", "/comeback", `/comeback?challenge=c%261&proof=${proof}`]);
});

test("without a key nothing is proven", async () => {
  const { addresses, kept } = asked({ "/comeback": { challenge: "c" } });
  await kept.prove();
  kept.keep();
  await settled();
  await kept.prove();
  expect(addresses).toEqual(["/api/key"]);
});

test("a server without a challenge, or without an answer, is no error", async () => {
  const { kept } = asked({ "/api/key": { key }, "/comeback": { challenge: 3 } });
  kept.keep();
  await settled();
  expect(await kept.prove()).toBeUndefined();
  const gone = new KeptKey(async () => {
    throw new Error("connection refused");
  });
  gone.keep();
  await settled();
  expect(await gone.prove()).toBeUndefined();
});
