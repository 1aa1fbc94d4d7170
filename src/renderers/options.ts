export type RenderOptions = {
  /** True when what is printed may hold colour. */
  readonly color: boolean;
};
