// What the terminal shows of a line that a part has printed: what failed, where and why. The rest is for its log.
const WARNING = 40;
const ERROR = /^\w*Error\b|^Uncaught\b/;

interface LogEntry {
  level: number;
  msg?: string;
  /** What was being done. */
  kind?: string;
  step?: string;
  /** Why it failed, where it was no error of ours. */
  reason?: string;
  err?: { message?: string };
}

/** Gives the text for a person, or null for a line that nobody has to act on. A stack trace is for the file. */
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
