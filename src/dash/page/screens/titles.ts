import type { View } from "../../view.ts";
import { shortName } from "../format.ts";
import { isViewOf } from "../screen-views.ts";

const nameCharacters = 60;

export function titleOf(view: View): string {
  if (isViewOf(view, "tool")) {
    const { tool, server } = view.head;
    return `${shortName(tool, nameCharacters)} · ${shortName(server, nameCharacters)}`;
  }
  if (isViewOf(view, "session")) {
    const { session, session_id: id } = view.head;
    const name = session ? `${session.began_local} · ${session.server}` : id;
    return `Session ${shortName(name, nameCharacters)}`;
  }
  if (isViewOf(view, "definitions")) {
    const { server } = view.head;
    return server === null ? "Definitions" : `Definitions of ${shortName(server, nameCharacters)}`;
  }
  if (view.head.screen === "budgets") return "Budgets";
  return view.head.screen === "trend" ? "Trend" : "Overview";
}
