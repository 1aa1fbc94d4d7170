/** Lines of log files that could not be read, by the reason. */
export type FileCounts = {
  /** Not JSON objects, or too long. */
  readonly bad: number;
  /** The last line of a file that is still written. */
  readonly torn: number;
  /** Records of a type that the importer does not know. */
  readonly unknown: number;
};

/** No lines. */
export const noFileCounts: FileCounts = { bad: 0, torn: 0, unknown: 0 };

/** The sum of two counts. */
export function addFileCounts(one: FileCounts, other: FileCounts): FileCounts {
  return {
    bad: one.bad + other.bad,
    torn: one.torn + other.torn,
    unknown: one.unknown + other.unknown,
  };
}
