/**
 * A template with each `{{name}}` replaced. Throws an Error for a name without a value, and for a value without a place: the
 * template and its values have then drifted apart.
 */
export function fillTemplate(
  template: string,
  values: { readonly [name: string]: string },
): string {
  const unused = new Set(Object.keys(values));
  const filled = template.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has {{${name}}}, which has no value`);
    unused.delete(name);
    return value;
  });
  if (unused.size > 0) throw new Error(`The template has no place for ${[...unused].join(", ")}`);
  return filled;
}
