import { describe, expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import { renderSummary } from "#screens/renderers/index.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../../support/made-records.ts";
import { summaryOf } from "../../support/play.ts";
import { summaryOptions } from "../../support/report-options.ts";

const records = [
  sessionRecord({ seq: 0 }),
  definitionsRecord({ seq: 1 }),
  callRecord({ seq: 2 }),
  endRecord({ seq: 3 }),
];
const lines = records.map(formatRecordLine).join("");

describe("report", () => {
  test("counts a record once, whether a file is copied, named twice or joined", async () => {
    using folder = new Folder();
    folder.file("a.ndjson", lines);
    folder.file("b.ndjson", lines);
    folder.file("c.ndjson", `${lines}${lines}`);
    const files = ["a.ndjson", "a.ndjson", "b.ndjson", "c.ndjson"].map((name) => folder.at(name));
    const { io, stdout } = fakeIo();
    await report({ ...summaryOptions, format: "table", files }, io);
    expect(stdout()).toBe(renderSummary("table", summaryOf(records), { color: false }));
  });

  test("adds up several files, and counts what it skipped", async () => {
    using folder = new Folder();
    const { io, stdout, stderr } = fakeIo();
    folder.file("a.ndjson", lines);
    const others = records
      .map((record) => formatRecordLine({ ...record, session_id: "b" }))
      .join("");
    folder.file("b.ndjson", `noise\n${others}{"torn`);
    await report({ ...summaryOptions, format: "json", files: [folder.at("*.ndjson")] }, io);
    expect(JSON.parse(stdout())).toMatchObject({ sessions: 2, total: { calls: 2 } });
    expect(stderr()).toBe(
      `mcp-meter: Skipped 2 lines of "${folder.at("b.ndjson")}": 1 incomplete, 1 not from mcp-meter\n`,
    );
  });

  test("never adds up sessions in different estimators", async () => {
    using folder = new Folder();
    const { io, stdout } = fakeIo();
    folder.file("a.ndjson", lines);
    const foreign = [
      sessionRecord({ session_id: "b", estimator: "claude" }),
      callRecord({ session_id: "b", seq: 1, output_tokens: 7 }),
    ];
    folder.file("b.ndjson", foreign.map(formatRecordLine).join(""));
    await report({ ...summaryOptions, format: "json", files: [folder.at("*.ndjson")] }, io);
    expect(JSON.parse(stdout())).toMatchObject({
      summaries: [
        { estimation: { estimator: "chars3" }, sessions: 1, total: { total_tokens: 110 } },
        { estimation: { estimator: "claude" }, sessions: 1, total: { total_tokens: 17 } },
      ],
    });
  });

  test("refuses files without records in one sentence", async () => {
    using folder = new Folder();
    const { io, stdout } = fakeIo();
    const files = [folder.file("empty", "")];
    expect(await rejectionOf(report({ ...summaryOptions, format: "table", files }, io))).toBe(
      "UserError: Found no records in 1 file",
    );
    expect(stdout()).toBe("");
  });
});
