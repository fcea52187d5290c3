// The values that a template may use: the paths into sample facts of its kind, such as `policy.number` or
// `limits[].name`. A template's own path into a list has an item's index: `limits.0.name`.

const FIRST_OR_LAST = /^(first|last|-?\d+)$/;

/** Lists the paths to all values of sample facts, in which every list has one item. */
export function valuePaths(sample: unknown): string[] {
  if (Array.isArray(sample)) return valuePaths(sample[0]).map((path) => joined('[]', path));
  if (!isObject(sample)) return [''];
  return Object.entries(sample).flatMap(([name, value]) => valuePaths(value).map((path) => joined(name, path)));
}

/** Whether a path leads to a value, or a group of values, in sample facts. */
export function hasPath(sample: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(sample) && FIRST_OR_LAST.test(name)) return hasPath(sample[0], rest);
  if (Array.isArray(sample) || typeof sample === 'string') return name === 'size' && rest.length === 0;
  return isObject(sample) && Object.hasOwn(sample, name) && hasPath(sample[name], rest);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(name: string, path: string): string {
  return path === '' || path.startsWith('[]') ? `${name}${path}` : `${name}.${path}`;
}
