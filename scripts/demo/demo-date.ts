// The date of the tour: the demo organization's, which its test clock may have moved.
import { demoClient } from './client.ts';

/** Reads the demo organization's business date; today if no clock can be read, as in production. */
export async function demoDate(url: string, apiSecret: string | null): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const token = apiSecret === null ? null : await demoToken(url, apiSecret);
  if (token === null) return today;
  const clock = await demoClient(url, { Authorization: `Bearer ${token}` })
    .get('/test-clock')
    .catch(() => ({ date: today }));
  return String(clock.date);
}

/** Gets a token of the demo organization; null if there is none. */
async function demoToken(url: string, secret: string): Promise<string | null> {
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret }),
  };
  const response = await fetch(`${url}/auth/demo`, request).catch(() => null);
  return response?.ok ? ((await response.json()) as { token: string }).token : null;
}
