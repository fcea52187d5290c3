// What the terminal shows of a line that a part printed: what failed, where and why. The rest goes to its log.
const WARNING = 40;
const ERROR = /^\w*Error\b|^Uncaught\b/;

interface LogEntry {
  level: number;
  msg?: string;
  /** What was being done. */
  kind?: string;
  step?: string;
  /** Why it failed, if it was not our error. */
  reason?: string;
  err?: { message?: string };
}

/** Returns the text to show, or null for a line that needs no action. Stack traces are left to the log file. */
export function consoleLine(line: string): string | null {
  const entry = parseEntry(line);
  if (entry !== null) return entry.level >= WARNING ? summary(entry) : null;
  return ERROR.test(line) ? line : null;
}

function summary({ msg = '', kind, step, reason, err }: LogEntry): string {
  const what = step ?? kind;
  const [why = ''] = (err?.message ?? reason ?? '').split('\n');
  return `${msg}${what ? `: ${what}` : ''}${why && ` (${why})`}`;
}

function parseEntry(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    const entry = JSON.parse(line) as LogEntry;
    return typeof entry.level === 'number' ? entry : null;
  } catch {
    return null;
  }
}
