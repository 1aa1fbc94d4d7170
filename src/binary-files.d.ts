/** A file imported `with { type: "file" }`: its path, also inside the executable. */
declare module "*.bin" {
  const path: string;
  export default path;
}
