// How the demo shows its calls and their answers.
const LABEL_WIDTH = 26;

export interface Printer {
  /** The next step, and the call that makes it. */
  title: (what: string, call: string) => void;
  fact: (label: string, value: unknown) => void;
}

export function printer(write: (line: string) => void): Printer {
  let number = 0;
  return {
    title: (what, call) => write(`\n${++number}. ${what}\n   ${call}`),
    fact: (label, value) => write(`   ${label.padEnd(LABEL_WIDTH)} ${text(value)}`),
  };
}

export function money(value: unknown): string {
  return Number(value).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function text(value: unknown): string {
  return String(value);
}
