// What changed between two states of a record, for audit rows and the timeline of a policy. Contract 3.2, 3.7 "Audit".

/** Field → its value before and after; absent values are null. */
export type FieldChanges = Record<string, { before: unknown; after: unknown }>;

/**
 * Compares two plain JSON records field by field and lists those that differ, in the order of first appearance. Nested
 * values count as a whole; a missing field equals null. A record that did not exist before (or no longer does) is null.
 */
export function changedFields(before: object | null, after: object | null): FieldChanges {
  const left = new Map<string, unknown>(Object.entries(before ?? {}));
  const right = new Map<string, unknown>(Object.entries(after ?? {}));
  const changes: FieldChanges = {};
  for (const field of new Set([...left.keys(), ...right.keys()])) {
    const was = left.get(field) ?? null;
    const is = right.get(field) ?? null;
    if (!isSame(was, is)) changes[field] = { before: was, after: is };
  }
  return changes;
}

/** Facts of an insured that name or describe a person or what is private to it. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'insuredName',
  'insuredEmail',
  'insuredPhone',
  'insuredAddress',
  'description',
  'declineReason',
]);

/** Stands in an audit row for a value that is personal data. */
export const WITHHELD = 'withheld';

/** Like changedFields, for audit rows, which live for ever: of personal data they tell that it changed and not what it is. */
export function auditedChanges(before: object | null, after: object | null): FieldChanges {
  const shown = (field: string, value: unknown) => (value !== null && PERSONAL_FIELDS.has(field) ? WITHHELD : value);
  const changes = Object.entries(changedFields(before, after));
  return Object.fromEntries(
    changes.map(([field, side]) => [field, { before: shown(field, side.before), after: shown(field, side.after) }]),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = new Map<string, unknown>(Object.entries(a));
  const right = new Map<string, unknown>(Object.entries(b));
  const fields = new Set([...left.keys(), ...right.keys()]);
  if (Array.isArray(a) && left.size !== right.size) return false;
  return [...fields].every((field) => isSame(left.get(field) ?? null, right.get(field) ?? null));
}
