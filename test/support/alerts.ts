import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import type { AlertMessage } from "#state/alerting/alert-message.ts";

const path = join(import.meta.dir, "../../src/records/alert-message.schema.json");

export function alertSchema(): ValidateFunction {
  const schema: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: { "date-time": true },
  });
  return ajv.compile(schema);
}

export function madeAlert(changes: Partial<AlertMessage> = {}): AlertMessage {
  return {
    format: "mcp-meter-alert/1",
    alert: "heavy_call",
    message: "mcp-meter: garden, search: 9,000 tokens",
    ts: "2026-09-01T12:00:00.000Z",
    session_id: "session",
    server: "garden",
    client: "host",
    user: null,
    tool: "search",
    budget: null,
    limit: 8_000,
    value: 9_000,
    detail: "9,000 tokens",
    count: 1,
    ...changes,
  };
}
