import type { Conversation } from "../conversation.ts";
import { badByte, draft, splitPieces } from "../draft.ts";
import { text } from "../texts.ts";

/** Lines that are not calls: pings, logs, blank lines, and lines that are not JSON-RPC at all. */
export function noise(conversation: Conversation): void {
  const { random } = conversation;
  const by = random.pick(["client", "server"] as const);
  random.pick<() => void>([
    () => conversation.answer(conversation.ask("ping", {}), {}),
    () =>
      conversation.notify("server", "notifications/message", {
        level: "info",
        data: text(random, 40),
      }),
    () => conversation.notify("client", "notifications/roots/list_changed", {}),
    () => conversation.write(by, ["\n"]),
    () => conversation.write(by, [" \t\r\n"]),
    () => conversation.write("server", [`listening on ${random.between(1_000, 9_999)}\n`]),
    () => conversation.write(by, splitPieces(`${badByte}${badByte}{"jsonrpc":"2.0"\n`)),
    () => conversation.write(by, ['"2.0"\n', "[]\n", "[1,2]\n", "{}\n", "null\n"]),
    () =>
      conversation.say(
        "server",
        draft({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } }),
      ),
    () =>
      conversation.say(
        "server",
        draft({ jsonrpc: "2.0", id: "of no request", result: { content: [] } }),
      ),
    () => conversation.notify(by, `notifications/${text(random, 10)}`, { x: 1 }),
    () =>
      conversation.notify("client", "tools/call", {
        name: "alpha",
        arguments: { n: conversation.number() },
      }),
  ])();
}
