// Writes docs/grafana/mcp-meter.json, the dashboard for Grafana; bun run format then formats it.
import { join } from "node:path";
import { dashboardJson } from "./grafana/dashboard.ts";

await Bun.write(join(import.meta.dir, "..", "docs", "grafana", "mcp-meter.json"), dashboardJson());
