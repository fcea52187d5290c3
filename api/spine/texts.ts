// The rule for every text from a caller, whatever the operation does with it: valid Unicode without control characters.
// The field's schema may allow line breaks and tabs. Contract 1 "Strings".
import { type ValidationIssue, validationError } from '../../domain/errors.ts';
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

/**
 * Refuses a path or a query that cannot be decoded, and names the parameter.
 * @param pattern the path of the operation, with its parameters as `:name`
 * @throws DomainError validation_failed
 */
export function ensureDecodable(pattern: string, { path, querystring }: { path: string; querystring: string }): void {
  const names = pattern.split('/');
  for (const [index, segment] of path.split('/').entries()) {
    if (!isDecodable(segment)) throw refusal((names[index] ?? 'path').replace(/^:/, ''));
  }
  for (const pair of querystring.split('&')) {
    const [name = ''] = pair.split('=', 1);
    if (!isDecodable(name)) throw refusal('query');
    if (!isDecodable(pair)) throw refusal(decodeURIComponent(name.replaceAll('+', ' ')));
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function refusal(name: string) {
  const field = name.slice(0, FIELD_MAX_CHARACTERS).toWellFormed();
  return validationError(field, 'format', `${field} is not valid percent-encoded UTF-8.`);
}
