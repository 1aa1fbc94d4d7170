export type FileCounts = {
  readonly bad: number;
  readonly torn: number;
  readonly unknown: number;
};

export const noFileCounts: FileCounts = { bad: 0, torn: 0, unknown: 0 };

export function addFileCounts(one: FileCounts, other: FileCounts): FileCounts {
  return {
    bad: one.bad + other.bad,
    torn: one.torn + other.torn,
    unknown: one.unknown + other.unknown,
  };
}
