// What changed between two states of a record, for audit rows and a policy's timeline. Contract 3.2, 3.7 "Audit".

/** Field → its value before and after; absent values are null. */
export type FieldChanges = Record<string, { before: unknown; after: unknown }>;

/**
 * Compares two plain JSON records field by field and returns the differences, in order of first appearance. Nested
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

/** Facts that identify or describe an insured or a producer, or are private to them. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'insuredName',
  'insuredEmail',
  'insuredPhone',
  'insuredAddress',
  'producerName',
  'producerEmail',
  'producerPhone',
  'producerAddress',
  'contactAddress',
  'description',
  'declineReason',
]);

/** Stands in for personal data in an audit row. */
export const WITHHELD = 'withheld';

/**
 * Like changedFields, for audit rows, which are kept forever: personal data is shown as changed, without its values.
 */
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
