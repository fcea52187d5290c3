// What the demo cannot show here, and why: it says so instead of ending early.
import type { Environment } from '../../config.ts';

/** The line that says what is left out; null if everything is shown. */
export function leftOut({
  environment,
  apiSecret,
}: {
  environment: Environment;
  apiSecret: string | null;
}): string | null {
  const reason = reasonOf(environment, apiSecret);
  return reason && `Left out: a claim, and the year of a small book of business (${reason}).`;
}

function reasonOf(environment: Environment, apiSecret: string | null): string | null {
  if (environment === 'production') return 'production has no test clock';
  return apiSecret === null ? 'it needs API_SECRET, and neither the environment nor the data folder has it' : null;
}
