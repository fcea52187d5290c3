// What each group of operations is for: the headings of the reference.

/** Route tag → a sentence for readers looking for an operation. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Submissions: 'Risks that producers submit: triage, quotes with their rating worksheets, and binding.',
  Policies: 'Terms in force and their transactions: endorse, cancel, reinstate, renew, audit the premium.',
  Claims: 'Losses from first notice to close: reserves, settlements, payments, recoveries, attachments.',
  Billing: 'Invoices, payments, refunds, disbursements, commissions, and the general and fiduciary ledgers.',
  Referrals: 'Decisions that need more authority than the requester has, and deputies for people who are away.',
  'Delegated authority': 'The contracts with carriers that limit what the organization may bind.',
  Rates: 'Effective-dated rate tables and commission schedules.',
  Flags: 'Feature flags, set for each organization.',
  Events: 'Everything that has happened, in an order that is safe to poll.',
  Webhooks: 'Subscriptions to events, their signed deliveries, and secrets.',
  'Inbound events': 'Signed webhooks from providers: cards, identity, e-mail, e-signature.',
  Audit: 'Who did what, and who read what.',
  'Test clock': "Moves an organization's business date forward in the local and sandbox environments.",
  'API keys': 'Credentials for machines, limited to scopes.',
  Users: 'The people of an organization, their roles and their authority.',
  Organizations: 'Tenants, for platform roles.',
  Platform: 'Operators of the platform itself.',
  Authentication: 'Exchanges of sessions, secrets and one-time codes for tokens.',
  Documents: 'Files: generated, received and classified, behind signed addresses.',
  Signing: 'Envelopes: documents that people sign at the e-signature provider.',
  Producers: 'Agencies and agents: licenses, members, carrier appointments, identity.',
  'Deal rooms': 'Conversations about a submission, with live messages over a WebSocket.',
  Analytics: 'Figures of the portfolio, commissions, authority and receivables.',
  Bordereaux: 'Monthly reports to carriers: premium, claims and risks, in versions.',
  Compliance: 'Filings that states require, with their due dates.',
  Portal: 'What insureds can see and do themselves, with a policyholder token.',
  Operations: 'Health, metrics and this description.',
};

/** The tags in the order of the routes. The lint of the document reports one without a description. */
export function describedTags(names: Iterable<string>): { name: string; description?: string }[] {
  return [...new Set(names)].map((name) => {
    const description = DESCRIPTIONS[name];
    return { name, ...(description === undefined ? {} : { description }) };
  });
}
