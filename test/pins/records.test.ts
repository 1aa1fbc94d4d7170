import { describe, expect, test } from "bun:test";
import { type MeterRecord, schemaVersion } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { Play } from "../support/play.ts";
import { call, request, textResult } from "../support/rpc.ts";

const common = "schema_version ts session_id seq server type";
const sizes =
  "method request_id outcome input_tokens output_tokens total_tokens input_bytes output_bytes duration_ms truncated";

const fields: { readonly [type: string]: string } = {
  session: `${common} meter_version command client_name client_version server_version protocol_version era profile model window is_estimated estimator estimation_method estimation_encoding estimation_error confidence`,
  definitions: `${common} is_complete tools_total tools total_tokens resident_tokens is_deferred wire_only_tokens instructions_tokens list_state`,
  call: `${common} tool ${sizes} messages wire_tokens visible_tokens duplicate_tokens arguments_sha256 result_sha256 blocks overhead risk is_estimated estimation_method estimation_encoding confidence`,
  protocol: `${common} ${sizes}`,
  fault: `${common} where what`,
  end: `${common} exit_code signal duration_ms client_bytes server_bytes calls total_tokens notifications opaque_client_lines opaque_server_lines unknown_answers late_answers dropped_records observer_faults budgets`,
};

const tool = { name: "search", description: "Finds", inputSchema: { type: "object" } };

function session(): MeterRecord[] {
  return new Play()
    .client(
      request(0, "initialize", { protocolVersion: "2025-11-25", clientInfo: { name: "host" } }),
    )
    .server({ jsonrpc: "2.0", id: 0, result: { serverInfo: { name: "garden" } } })
    .client(request(1, "tools/list"))
    .server({ jsonrpc: "2.0", id: 1, result: { tools: [tool] } })
    .client(call(2, "search"))
    .server(textResult(2, "Roses"))
    .fault("counting", "TypeError")
    .end().records;
}

describe("records", () => {
  test(`are of version ${schemaVersion}`, () => {
    expect(schemaVersion).toBe("1.0");
  });

  for (const [type, names] of Object.entries(fields)) {
    test(`of type ${type} have these fields in this order`, () => {
      const record = session().find((one) => one.type === type);
      const written: unknown = record && JSON.parse(formatRecordLine(record));
      expect(Object.keys(Object(written)).join(" ")).toBe(names);
    });
  }

  test("a tool's definition and an answer's blocks have these", () => {
    const records = session();
    const [definition] = records.flatMap((one) => (one.type === "definitions" ? one.tools : []));
    const [blocks] = records.flatMap((one) => (one.type === "call" ? [one.blocks] : []));
    expect(Object.keys(Object(definition)).join(" ")).toBe(
      "name tokens name_tokens description_tokens schema_tokens wire_only_tokens percent_total sha256 narrowing_parameters",
    );
    expect(Object.keys(Object(blocks)).join(" ")).toBe(
      "text image audio resource resource_link other",
    );
  });
});
