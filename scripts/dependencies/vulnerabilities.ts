// Known vulnerabilities of the production dependencies, from `npm audit`. Only fixable ones block a change: a serious
// vulnerability without a fixed version is shown.
import { spawnSync } from 'node:child_process';

const CALL_TIMEOUT_MS = 10_000;
const GIVE_UP_MS = 20_000;
const ARGUMENTS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', `--fetch-timeout=${CALL_TIMEOUT_MS}`];
const SERIOUS: readonly string[] = ['high', 'critical'];

export interface AuditVerdict {
  /** For the reader; one line each. */
  lines: string[];
  failed: boolean;
}

/**
 * Queries the registry through npm. An offline machine, or a registry without advisories, produces one line and no
 * failure.
 */
export function auditDependencies(cwd: string): AuditVerdict {
  const { stdout } = spawnSync('npm', ARGUMENTS, { cwd, encoding: 'utf8', timeout: GIVE_UP_MS, stdio: 'pipe' });
  return judgeAudit(stdout ?? '');
}

/** Judges what `npm audit --json` printed. */
export function judgeAudit(printed: string): AuditVerdict {
  const report = parse(printed);
  if (report === null) {
    return { lines: ['npm audit: the registry does not answer, so no vulnerabilities were looked up.'], failed: false };
  }
  const serious = Object.values(report).filter(({ severity }) => SERIOUS.includes(severity));
  if (serious.length === 0) return { lines: ['npm audit: no serious vulnerability in production.'], failed: false };
  const lines = serious.map(({ name, severity, fixAvailable }) => {
    return `npm audit: ${name} (${severity})${fixAvailable === false ? ', which no version mends yet' : ': pin a fixed version'}`;
  });
  return { lines, failed: serious.some(({ fixAvailable }) => fixAvailable !== false) };
}

interface Vulnerability {
  name: string;
  severity: string;
  /** False when there is no fixed version. */
  fixAvailable: unknown;
}

/** Null for anything but a report, such as an unreachable registry's error. */
function parse(printed: string): Record<string, Vulnerability> | null {
  try {
    const { vulnerabilities } = JSON.parse(printed) as { vulnerabilities?: Record<string, Vulnerability> };
    return vulnerabilities ?? null;
  } catch {
    return null;
  }
}
