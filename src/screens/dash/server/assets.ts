import page from "../page/index.html";

export type Asset = { readonly path: string; readonly type: string };

/** Set by the bundler in an executable; elsewhere there are no files. */
type BuiltPage = {
  readonly files?: readonly {
    readonly path: string;
    readonly loader: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
};

export function pageAssets(built: BuiltPage = page): ReadonlyMap<string, Asset> {
  return new Map(
    (built.files ?? []).map(({ path, loader, headers }) => {
      const served = loader === "html" ? "/" : `/${path.replace(/^.*[/\\]/s, "")}`;
      return [served, { path, type: headers["content-type"] ?? "application/octet-stream" }];
    }),
  );
}
