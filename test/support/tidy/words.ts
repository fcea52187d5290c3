// Words banned from certain files, each with a replacement.
import type { Finding, Source } from './source.ts';

interface BannedWord {
  pattern: RegExp;
  /** Files in which it is banned. */
  within: (path: string) => boolean;
  message: string;
}

const isIn =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder));
const isOutside =
  (...places: string[]) =>
  (path: string) =>
    !isIn(...places)(path);

/** The only files that may reach across organizations, each with the reason that is logged. */
const MAY_CROSS_ORGANIZATIONS: readonly string[] = [
  'db/orm.ts',
  'db/queries/submission/sanctions.ts',
  'db/seed/',
  'activities/billing/autopay/due-charges.ts',
  'activities/billing/cards/card-events.ts',
  'activities/billing/cards/payout-owners.ts',
  'activities/insight/deadlines.ts',
  'activities/inbound/',
  'activities/renewal/renewal-sweep.ts',
  'activities/billing/reconciliation/card-statement.ts',
  'activities/billing/reconciliation/runs.ts',
  'api/routes/access/auth-demo.ts',
  'api/routes/platform/organizations.ts',
  'api/routes/access/user-keys.ts',
  'workers/business-gauges.ts',
  'workers/fact-folding.ts',
  'workers/housekeeping.ts',
  'workers/push-dispatch.ts',
  'scripts/audit-verify.ts',
  'scripts/ops/named.ts',
  'scripts/ops/print-again.ts',
  'scripts/ops/questions.ts',
  'scripts/ops/rebuild-facts.ts',
  'test/',
  'bench/',
];

/** Where a client's address becomes its rate-limit name, and a session's row, which shows it. */
const MAY_READ_ADDRESSES: readonly string[] = [
  'api/spine/middleware/request-id.ts',
  'auth/http/middleware.ts',
  'auth/app.ts',
];

/** The one place where a workflow reads the clock; the SDK gives the same answer at every replay. */
const WORKFLOW_CLOCK = 'workflows/machinery/alarm.ts';
const PURE = isIn('domain/', 'workflows/');

const BANNED_WORDS: readonly BannedWord[] = [
  {
    pattern: /\bprocess\.env\b(?!\))/,
    within: isOutside('config.ts', 'config/', 'scripts/', 'test/', 'bench/', 'ava.config.js'),
    message: 'reads the environment, add the variable to config/ and take the configuration as an argument',
  },
  {
    pattern: /\bprocess\.env(\.\w|\[)/,
    within: (path) => path.startsWith('scripts/') && path.endsWith('.ts'),
    message: 'reads a variable, add it to config/ and load the configuration',
  },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    within: (path) => PURE(path) && path !== WORKFLOW_CLOCK,
    message: 'reads the clock, take the time as an argument',
  },
  {
    pattern: /\bMath\.random\b|\brandomUUID\b|\bcrypto\b/,
    within: PURE,
    message: 'is random, take the value as an argument',
  },
  {
    pattern: /\bprocess\.|\bglobalThis\b/,
    within: PURE,
    message: 'reads its surroundings, take the value as an argument',
  },
  { pattern: /\bfetch\(/, within: PURE, message: 'calls the outside, do that in an activity' },
  {
    pattern: /\bsetTimeout\b|\bsetInterval\b/,
    within: PURE,
    message: 'waits by the machine, use sleep or condition of the workflow',
  },
  {
    pattern: /\bctx\.ip\b|\bremoteAddress\b/,
    within: (path) => isIn('api/', 'auth/')(path) && !MAY_READ_ADDRESSES.includes(path),
    message: 'reads an address that has many spellings, count by ctx.state.client',
  },
  {
    pattern: /\bconsole\./,
    within: isOutside('scripts/', 'bench/'),
    message: 'writes to the terminal, use the logger that was passed in',
  },
  {
    pattern: /\bacrossOrgs(Transaction)?\b/,
    within: isOutside(...MAY_CROSS_ORGANIZATIONS),
    message: 'reaches across organizations, use forOrg or add the file to the list of those that may',
  },
  {
    pattern:
      /\bem\.(create|persist|remove|assign|insert\w*|upsert\w*|native\w+|flush)\b|\baddRow\b|\b(insert into|delete from|update \w+ set)\b/,
    within: isIn('plans/'),
    message: 'writes, which a plan must not: a preview would leave something. Write in an activity',
  },
];

/** Finds banned words in code; comments and types do not count. */
export function bannedWords(source: Source): Finding[] {
  const words = BANNED_WORDS.filter(({ within }) => within(source.path));
  return source.codeLines.flatMap((code, index) =>
    words
      .filter(({ pattern }) => pattern.test(code))
      .map(({ message }) => ({ path: source.path, line: index + 1, message })),
  );
}

const UNFINISHED = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`);
const MACHINE_PATH = /(^|[\s'"`(=])(\/(work|home|root|Users|tmp)\/[\w.-]+|[A-Z]:\\\w+)/;
const REGISTRY_HOST = /\bregistry\.[a-z-]+\.(com|org|io|net)\b|"resolved": *"https?:/;

/** Finds, in any text file, unfinished work, machine-specific paths, and names of package registries. */
export function textFindings(path: string, text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const found = (message: string) => [{ path, line: index + 1, message }];
    if (UNFINISHED.test(line)) return found('is unfinished, finish it or leave it out');
    if (MACHINE_PATH.test(line)) return found('names a place of one machine, use a path relative to the repository');
    if (REGISTRY_HOST.test(line)) return found('names a package registry, let npm choose it');
    return [];
  });
}
