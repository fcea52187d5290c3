// The rule for every text that a caller gives, whatever its operation makes of it: valid Unicode without control
// characters. Line breaks and tabs are for the schema of the field to allow. Contract 1 "Strings".
import type { ValidationIssue } from '../../domain/errors.ts';
import { isCleanText } from '../../domain/text.ts';

const FIELD_MAX_CHARACTERS = 200;

/** Names the first text in a value that is not clean; null for none. */
export function uncleanText(value: unknown): ValidationIssue | null {
  const open: { value: unknown; path: string }[] = [{ value, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: each, path } = next;
    if (typeof each === 'string' && !isCleanText(each)) return issue(path, 'must be text without control characters.');
    if (typeof each !== 'object' || each === null) continue;
    const entries = Object.entries(each);
    if (entries.some(([key]) => !isCleanText(key))) return issue(path, 'has a name with control characters.');
    for (const [key, inner] of entries.reverse()) {
      open.push({ value: inner, path: path === '' ? key : `${path}.${key}` });
    }
  }
  return null;
}

function issue(path: string, text: string): ValidationIssue {
  const field = path.slice(0, FIELD_MAX_CHARACTERS).toWellFormed() || 'body';
  return { field, rule: 'format', message: `${field} ${text}` };
}
