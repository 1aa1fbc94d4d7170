import type { ReaderTools } from "../../imports/importer.ts";
import type { SessionTotalEvent } from "../../imports/log-event.ts";
import { importedModelsMax } from "../../limits.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";
import { usageOf } from "./usage-event.ts";

export function sessionTotal(data: JsonObject, tools: ReaderTools): SessionTotalEvent["models"] {
  const metrics = isObject(data["modelMetrics"]) ? data["modelMetrics"] : {};
  return Object.entries(metrics)
    .slice(0, importedModelsMax)
    .flatMap(([name, entry]) => {
      const model = idAt(tools, { name }, "name");
      if (model === null || !isObject(entry) || !isObject(entry["usage"])) return [];
      return [{ model, usage: usageOf(entry["usage"]) }];
    });
}
