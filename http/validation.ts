// Checks values against their schemas and reports every violated rule in the catalogue's terms. Contract 1 "Error
// catalogue".
import type { z } from 'zod';
import { VALIDATION_RULES, type ValidationIssue, type ValidationRule } from '../domain/errors.ts';

const MAX_ISSUES = 50;
const MAX_FIELD_CHARACTERS = 200;

/** Stands for the whole body where a field name is needed. */
const WHOLE = 'body';

export type Issue = z.core.$ZodIssue;

/** How our own texts continue after the field name. */
const PREDICATE = /^(must|is|has) /;

/** A value that passed its schema, or what is wrong with it. */
export type Checked = { ok: true; value: unknown } | { ok: false; issues: ValidationIssue[] };

/** Checks a value against a schema. */
export function check(schema: z.ZodType, value: unknown): Checked {
  const result = schema.safeParse(value, { reportInput: true, error: briefly });
  if (result.success) return { ok: true, value: result.data };
  // Each problem gives at least one issue, and a hostile body may have a hundred thousand.
  return { ok: false, issues: result.error.issues.slice(0, MAX_ISSUES).flatMap(issuesOf).slice(0, MAX_ISSUES) };
}

/** The library's own sentence names every unknown key; ours are written only for the reported ones. */
function briefly({ code }: z.core.$ZodRawIssue): string | undefined {
  return code === 'unrecognized_keys' ? 'Unknown keys' : undefined;
}

function issuesOf(issue: Issue): ValidationIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, MAX_ISSUES);
    return keys.map((key) => validationIssue([...issue.path, key], 'unknown_field', 'is not a known field.'));
  }
  if (issue.code === 'invalid_union') return issuesOfUnion(issue);
  return [issueOf(issue)];
}

/**
 * For a union, reports the closest branch: the one whose first fault is deepest. A branch of the same type as the value
 * is closer than any other.
 */
function issuesOfUnion(issue: Extract<Issue, { code: 'invalid_union' }>): ValidationIssue[] {
  if (issue.input === undefined) return [validationIssue(issue.path, 'required', 'is required.')];
  const depth = ([first]: Issue[]) => {
    if (first === undefined) return 0;
    return first.path.length === 0 && first.code !== 'invalid_type' ? 0.5 : first.path.length;
  };
  const branches = [...issue.errors].sort((a, b) => depth(b) - depth(a));
  const closest = branches[0];
  if (!closest || depth(closest) === 0) return [validationIssue(issue.path, 'type', 'has the wrong type.')];
  return closest.flatMap((inner) => issuesOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

function issueOf(issue: Issue): ValidationIssue {
  const { path, message } = issue;
  if (issue.code === 'custom')
    return validationIssue(path, ruleOf(issue.params?.rule), sentence(message, 'is not valid.'));
  if (issue.input === undefined && 'input' in issue) return validationIssue(path, 'required', 'is required.');
  switch (issue.code) {
    case 'invalid_type':
      return validationIssue(
        path,
        'type',
        `must be ${typeText(issue.expected)}${issue.input === null ? ', not null' : ''}.`,
      );
    case 'invalid_value':
      return validationIssue(path, 'enum', `must be one of ${issue.values.join(', ')}.`, { allowed: issue.values });
    case 'too_small':
      return validationIssue(path, 'min', boundText(issue.origin, 'least', issue.minimum), {
        minimum: Number(issue.minimum),
      });
    case 'too_big':
      return validationIssue(path, 'max', boundText(issue.origin, 'most', issue.maximum), {
        maximum: Number(issue.maximum),
      });
    default:
      return validationIssue(path, 'format', sentence(message, 'has the wrong format.'));
  }
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function typeText(type: string): string {
  return TYPE_TEXTS[type] ?? `a ${type}`;
}

function boundText(origin: string, which: 'least' | 'most', bound: unknown): string {
  const isOne = Number(bound) === 1;
  if (origin === 'string') return `must have at ${which} ${bound} character${isOne ? '' : 's'}.`;
  if (origin === 'array' || origin === 'set') return `must have at ${which} ${bound} ${isOne ? 'entry' : 'entries'}.`;
  return `must be at ${which} ${bound}.`;
}

/** The schema's own sentence, or ours if it has only the library's. */
function sentence(message: string, fallback: string): string {
  return message.startsWith('Invalid') ? fallback : message;
}

function ruleOf(value: unknown): ValidationRule {
  return VALIDATION_RULES.find((rule) => rule === value) ?? 'format';
}

function validationIssue(
  path: readonly PropertyKey[],
  rule: ValidationRule,
  text: string,
  extra = {},
): ValidationIssue {
  const field = path.map(String).join('.').slice(0, MAX_FIELD_CHARACTERS) || WHOLE;
  // A schema's sentence is complete, and may begin with a field name.
  const message = PREDICATE.test(text) ? `${field} ${text}` : text;
  return { field, rule, message, ...extra };
}
