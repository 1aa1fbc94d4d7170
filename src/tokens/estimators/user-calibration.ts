// Measured with a user's logs; see user-calibration.schema.json.
export type Calibration = {
  readonly schema_version: "1.0";
  readonly written: string;
  readonly models: readonly CalibratedModel[];
};

export type CalibratedModel = {
  readonly client: string;
  readonly model: string;
  readonly estimator: string;
  readonly scale: number;
  readonly clean_steps: number;
  readonly median_error: number;
};

type CalibrationQuery = {
  readonly estimator: string;
  readonly model?: string | undefined;
  readonly client?: string | undefined;
};

export function findCalibration(
  { models }: Calibration,
  { estimator, model, client }: CalibrationQuery,
): CalibratedModel | undefined {
  const isForModelOrClient = (entry: CalibratedModel): boolean =>
    model === undefined || model === ""
      ? client?.toLowerCase().startsWith(entry.client.toLowerCase()) === true
      : entry.model === model;
  const matching = models.filter(
    (entry) => entry.estimator === estimator && isForModelOrClient(entry),
  );
  return matching.toSorted((a, b) => b.clean_steps - a.clean_steps)[0];
}
