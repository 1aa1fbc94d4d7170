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
