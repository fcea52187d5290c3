// npm run admin -- create-organization <name> [--tier enterprise]
// | create-admin <e-mail> --org <organization> [--name <name>]: what a new installation needs before anyone can sign
// in: an organization, and an invitation for its first administrator, repeated if necessary. Calls this machine's API
// with API_SECRET.
import './help/show-help.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSupervisorConfig } from '../config.ts';
import { type DemoClient, demoClient, type Json } from './demo/client.ts';
import { environmentOfRunning } from './env-file.ts';
import { localCredentials } from './start/secrets.ts';

const USAGE = `npm run admin -- create-organization <name> [--tier standard|enterprise]
             -- create-admin <e-mail> --org <organization> [--name <name>]`;
const NOT_SENT = `NOT SENT: the mail server did not take the e-mail with the invitation. Without it, the administrator cannot sign in.
Why: the log of the api says it ("mailing an invitation failed"). Its variables are SMTP_URL, MAIL_FROM and EMAIL_PROVIDER_API_KEY.
Then: repair it, restart the api, and give the same command again. It sends a new invitation in place of this one.
Without any mail server: leave SMTP_URL and EMAIL_PROVIDER_API_KEY empty. Each e-mail is then a file in the folder "mail" of the api's DATA_DIR.`;
const OPTIONS = { tier: { type: 'string' }, org: { type: 'string' }, name: { type: 'string' } } as const;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [order, subject, ...rest] = positionals;
  if (subject === undefined || rest.length > 0) throw new Error(USAGE);
  if (order === 'create-organization') await createOrganization(subject, values.tier);
  else if (order === 'create-admin' && values.org !== undefined) await inviteAdmin(subject, values.org, values.name);
  else throw new Error(USAGE);
}

async function createOrganization(name: string, tier: string | undefined): Promise<void> {
  const made = await machine().post('/organizations', { name, ...(tier === undefined ? {} : { tier }) });
  console.log(`${made.id}  ${made.name}  (${made.tier})`);
  console.log(`Next: npm run admin -- create-admin <e-mail> --org ${made.id}`);
}

async function inviteAdmin(email: string, orgId: string, name: string | undefined): Promise<void> {
  const invitation: Json = { email, role: 'org_admin', ...(name === undefined ? {} : { name }) };
  const api = machine(orgId);
  await takeBackInvitation(api, email);
  const made = await api.post('/users', invitation);
  const who = `${made.id}  ${made.email}  (${made.role})`;
  if (made.invitationSent !== true) throw new Error(`${who}\n${NOT_SENT}`);
  console.log(`${who}: an invitation is on its way and holds for seven days.`);
}

/** Revokes an earlier invitation that was never accepted: its e-mail may not have arrived. */
async function takeBackInvitation(api: DemoClient, email: string): Promise<void> {
  const query = new URLSearchParams({ status: 'invited', active: 'true', q: email, limit: '100' });
  const invited = (await api.get(`/users?${query}`)).data as Json[];
  const same = invited.find((user) => String(user.email).toLowerCase() === email.toLowerCase());
  if (same !== undefined) await api.patch(`/users/${same.id}`, { active: false });
}

function machine(orgId?: string) {
  const variables = environmentOfRunning();
  const config = loadSupervisorConfig(variables);
  const { apiSecret } = localCredentials(variables, resolve(import.meta.dirname, '..', config.dataDir));
  if (apiSecret === null) throw new Error('There is no API_SECRET: run "npm start" first, or set it.');
  const organization: Record<string, string> = orgId === undefined ? {} : { 'X-Org-Id': orgId };
  return demoClient(`http://localhost:${config.port}`, { Authorization: `Bearer ${apiSecret}`, ...organization });
}
