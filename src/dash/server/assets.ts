import page from "../page/index.html";

/** A file of the page in the executable. */
export type Asset = { readonly path: string; readonly type: string };

/** The form that the bundler gives the import of a page in an executable; outside of one there are no files. */
type BuiltPage = {
  readonly files?: readonly {
    readonly path: string;
    readonly loader: string;
    readonly headers: Readonly<Record<string, string>>;
  }[];
};

/** The files of the page by their paths; empty outside of an executable. */
export function pageAssets(built: BuiltPage = page): ReadonlyMap<string, Asset> {
  return new Map(
    (built.files ?? []).map(({ path, loader, headers }) => {
      const served = loader === "html" ? "/" : `/${path.replace(/^.*[/\\]/s, "")}`;
      return [served, { path, type: headers["content-type"] ?? "application/octet-stream" }];
    }),
  );
}
