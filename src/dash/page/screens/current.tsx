import type { View } from "../../view.ts";
import { isViewOf } from "../screen-views.ts";
import { Budgets } from "./budgets.tsx";
import { Definitions } from "./definitions.tsx";
import { Overview } from "./overview.tsx";
import { Session } from "./session.tsx";
import { Tool } from "./tool.tsx";
import { Trend } from "./trend.tsx";

export function CurrentScreen({ view }: { view: View }) {
  if (isViewOf(view, "overview")) return <Overview view={view} />;
  if (isViewOf(view, "session")) return <Session key={view.head.session_id} view={view} />;
  if (isViewOf(view, "tool")) {
    return <Tool key={`${view.head.server}\n${view.head.tool}`} view={view} />;
  }
  if (isViewOf(view, "definitions")) return <Definitions view={view} />;
  if (isViewOf(view, "budgets")) return <Budgets view={view} />;
  return isViewOf(view, "trend") ? <Trend view={view} /> : null;
}
