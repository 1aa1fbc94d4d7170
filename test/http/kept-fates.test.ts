import { expect, test } from "bun:test";
import { KeptFates } from "#http/kept-fates.ts";
import { keptBack, passed } from "#session/effects.ts";

const exchange = () => ({ number: 1, isStateless: false });

test("a message that is kept gets its own fate, by the very exchange it was given with", async () => {
  const fates = new KeptFates();
  const [one, other] = [exchange(), exchange()];
  const waiting = [fates.wait(one), fates.wait(other)];
  fates.decided({ exchange: exchange(), fate: passed });
  const fate = keptBack();
  fates.decided({ exchange: other, fate });
  fates.decided({ exchange: one, fate: passed });
  expect(await Promise.all(waiting)).toEqual([passed, fate]);
});

test("everything that is kept passes when the meter fails", async () => {
  const fates = new KeptFates();
  const waiting = fates.wait(exchange());
  fates.failed();
  expect(await waiting).toBe(passed);
});
