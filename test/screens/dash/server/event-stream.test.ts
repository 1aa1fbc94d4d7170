import { expect, test } from "bun:test";
import { openEventStream, dashWaitingBytesMax } from "#screens/dash/server/server.ts";
import { Hub } from "#screens/dash/server/hub.ts";
import type { View } from "#screens/dash/view.ts";
import { buildBudgetsView } from "#screens/dash/views/index.ts";
import { dashModel, viewChoice, viewSetting } from "../../../support/dash-model.ts";
import { eventually } from "../../../support/wait.ts";

const base = buildBudgetsView(dashModel([]), viewChoice({ screen: "budgets" }), viewSetting());

function makeView(text: string): View {
  return { head: base.head, tables: { a: { x: { text } } } };
}

test("begins with the time after which a browser tries again, and the snapshot as one line of data", async () => {
  const hub = new Hub(
    () => makeView("a\nb\n\ndata: x"),
    () => "",
  );
  const reader = openEventStream(hub, viewChoice()).getReader();
  const decoder = new TextDecoder();
  const first = decoder.decode((await reader.read()).value);
  const second = decoder.decode((await reader.read()).value);
  expect(first).toBe("retry: 1000\n\n");
  expect(second).toStartWith("event: snapshot\ndata: {");
  expect(second.trimEnd().split("\n")).toHaveLength(2);
  expect(hub.size).toBe(1);
  await reader.cancel();
  expect(hub.size).toBe(0);
});

test("a reader that does not read has a bounded queue", async () => {
  let version = 0;
  const large = "x".repeat(dashWaitingBytesMax / 4);
  const hub = new Hub(
    () => makeView(`${version}${large}`),
    () => String((version += 1)),
  );
  const stream = openEventStream(hub, viewChoice());
  await eventually("the versions pass", () => version > 8);
  const reader = stream.getReader();
  let bytes = 0;
  for (let chunk = 0; chunk < 6; chunk += 1) bytes += (await reader.read()).value?.length ?? 0;
  expect(bytes).toBeLessThan(2.5 * dashWaitingBytesMax);
  await reader.cancel();
  hub.close();
});
