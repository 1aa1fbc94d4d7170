/** Scales of estimators, as calibration.schema.json has them: measured on the logs of one user. */
export type Calibration = {
  readonly schema_version: "1.0";
  /** ISO 8601, UTC. */
  readonly written: string;
  readonly models: readonly CalibratedModel[];
};

/** The scale of one estimator for one model, as one client logged it. */
export type CalibratedModel = {
  readonly client: string;
  readonly model: string;
  readonly estimator: string;
  /** Native tokens per estimated token. */
  readonly scale: number;
  readonly clean_steps: number;
  /** Median share by which a step differs from the scaled estimate. */
  readonly median_error: number;
};

/** The reader whose estimates are scaled. */
export type CalibratedReader = {
  readonly estimator: string;
  /** The model that the user names. */
  readonly model?: string | undefined;
  /** The name of the client that connects. */
  readonly client?: string | undefined;
};

/**
 * The entry for a reader: that of its model, else of its client. Of several, the one with the most steps counts. An
 * entry never applies to another estimator than its own.
 */
export function findCalibration(
  { models }: Calibration,
  { estimator, model, client }: CalibratedReader,
): CalibratedModel | undefined {
  const fits = models.filter((entry) => {
    if (entry.estimator !== estimator) return false;
    return model === undefined || model === ""
      ? client !== undefined && client.toLowerCase().startsWith(entry.client.toLowerCase())
      : entry.model === model;
  });
  return fits.toSorted((one, other) => other.clean_steps - one.clean_steps)[0];
}
