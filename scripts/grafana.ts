// Writes docs/grafana/, the dashboards for Grafana; bun run format then formats them.
import { join } from "node:path";
import { dashboardJson } from "./grafana/dashboard.ts";
import { ways } from "./grafana/panels.ts";

const folder = join(import.meta.dir, "..", "docs", "grafana");
for (const way of ways) {
  await Bun.write(join(folder, `mcp-meter-${way.id}.json`), dashboardJson(way));
}
