import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseRunOptions } from "#commands/run/options.ts";
import { openRecording, resultOf } from "#commands/run/recording.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

async function recordingIn(folder: Folder, log?: string) {
  const given = log === undefined ? {} : { log };
  const options = parseRunOptions({ options: given, operands: [], child: ["garden"] });
  const nothing = { namedFile: undefined, namedPrices: undefined, lock: undefined };
  const preparation = { ...nothing, spillFolder: undefined, calibration: undefined };
  const io = { ...capturedIo(), env: { XDG_STATE_HOME: folder.path }, id: crypto.randomUUID() };
  return openRecording(options, preparation, io, () => undefined);
}

describe("openRecording", () => {
  test("sessions share one file, and those of one estimator one summary", async () => {
    using folder = new Folder();
    const recording = await recordingIn(folder);
    for (const session_id of ["a", "b"]) {
      for (const record of [sessionRecord({ session_id }), callRecord({ session_id })]) {
        recording.sink.take(record);
        recording.ledgers.add(record);
      }
    }
    recording.ledgers.add(sessionRecord({ session_id: "c", estimator: "chars4" }));
    await recording.sink.flush(1_000);
    const result = resultOf(recording, 3);
    expect(result).toMatchObject({ droppedRecords: 0, foreignLines: 3 });
    expect(result.summaries.map(({ sessions }) => sessions)).toEqual([2, 1]);
    const lines = readFileSync(result.recordsPath ?? "", "utf8")
      .trim()
      .split("\n");
    expect(lines).toHaveLength(4);
  });

  test("of no session there is neither a file nor a summary", async () => {
    using folder = new Folder();
    const nothing = { summaries: [], recordsPath: undefined, droppedRecords: 0, foreignLines: 0 };
    expect(resultOf(await recordingIn(folder), 0)).toEqual(nothing);
    expect(resultOf(await recordingIn(folder, "off"), 0)).toEqual(nothing);
  });
});
