// What a path or query parameter means if its own schema does not say: each name is described once.
type Place = 'path' | 'query';

/** Parts of names that need a plain word. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  da: 'delegated-authority',
};

const PATH: Readonly<Record<string, string>> = {
  certificateNumber: 'The number of the certificate, as it is printed on it.',
  file: 'The name of the file.',
  guide: 'The name of the guide.',
  kind: 'The kind of document.',
  lineOfBusiness: 'The line of business.',
  month: 'The calendar month.',
  requestId: 'The id of the request, as in `X-Request-Id` of its answer.',
  token: 'The last part of the address that another answer gave. It is a credential.',
  userId: 'The id of the user: the `sub` of their token.',
};

const QUERY: Readonly<Record<string, string>> = {
  active: '`true` lists only those who are active, `false` only those who are deactivated.',
  carrier: 'Only those of the carrier with exactly this name.',
  createdFrom: 'Only those created on this business date of the organization or later.',
  createdTo: 'Only those created on this business date of the organization or earlier.',
  dueFrom: 'Only those due on this date or later.',
  dueTo: 'Only those due on this date or earlier.',
  effectiveFrom: 'Only those with an effective date on this day or later.',
  effectiveTo: 'Only those with an effective date on this day or earlier.',
  entityType: 'Only those of this kind of entity.',
  eventType: 'Only those of events of this type.',
  expiringFrom: 'Only those with an expiration date on this day or later.',
  expiringTo: 'Only those with an expiration date on this day or earlier.',
  from: 'Only those of this business date or later.',
  fromUserId: 'Only those that this user gave.',
  groupBy: 'Adds the same figures by group.',
  kind: 'Only those of this kind.',
  ledger: 'Only those of this ledger.',
  lineOfBusiness: 'Only those of this line of business.',
  lossFrom: 'Only those with a loss date on this day or later.',
  lossTo: 'Only those with a loss date on this day or earlier.',
  method: 'Only those paid by this method.',
  month: 'Only those of this month.',
  parentId: 'Only those with this producer as their parent.',
  period: 'The length of the periods to total.',
  preview: 'With `true`, the response shows what the call would do, and nothing is written.',
  receivedFrom: 'Only those received on this day or later.',
  receivedTo: 'Only those received on this day or earlier.',
  requestedBy: 'Only those that this user requested.',
  role: 'Only those with this role.',
  sort: 'The order of the rows.',
  state: 'Only those of this state.',
  status: 'Only those with this status.',
  to: 'Only those of this business date or earlier.',
  toUserId: 'Only those that this user received.',
  type: 'Only those of this type.',
  year: 'Only this calendar year. Default: all.',
};

/** Describes a parameter by its name, or as the id that its schema refers to; undefined if neither says enough. */
export function parameterDescription(place: Place, name: string, reference: unknown): string | undefined {
  const named = (place === 'path' ? PATH : QUERY)[name];
  if (named !== undefined) return named;
  const id = /\/(\w+?)(?:Id|Reference)$/.exec(String(reference))?.[1];
  if (id === undefined) return undefined;
  const words = id.replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
  const spoken = words.replaceAll(/\w+/g, (word) => WORDS[word] ?? word);
  return place === 'path' ? `The id of the ${spoken}.` : `Only those of this ${spoken}.`;
}
