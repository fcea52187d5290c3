// `expand`: replaces an id in an answer with the object itself.
import type { Form } from '../form.ts';
import { badParameter } from '../problem.ts';
import type { Store } from '../store.ts';
import type { Answer, Refund, StoredObject } from '../wire.ts';

/** The object type of an id, by its prefix. */
const KINDS: Readonly<Record<string, StoredObject['object']>> = {
  pi: 'payment_intent',
  seti: 'setup_intent',
  pm: 'payment_method',
  ch: 'charge',
  re: 'refund',
  du: 'dispute',
  cus: 'customer',
  txn: 'balance_transaction',
  po: 'payout',
};

type Json = Record<string, unknown>;

/** Expands an operation's answer along the paths in its `expand` parameter, such as `data.latest_charge`. */
export function expanded(store: Store, form: Form, answer: Answer): Answer {
  const paths = typeof form.expand === 'object' ? Object.values(form.expand) : [];
  if (answer.status !== 200 || paths.length === 0) return answer;
  const body = structuredClone(answer.body) as Json;
  for (const path of paths) if (typeof path === 'string') expand(store, body, path.split('.'), path);
  return { ...answer, body };
}

function expand(store: Store, value: Json, [name = '', ...rest]: string[], path: string): void {
  const children = Array.isArray(value[name]) ? (value[name] as Json[]) : [replaced(store, value, name, path)];
  if (rest.length === 0) return;
  for (const child of children) if (child !== null) expand(store, child, rest, path);
}

function replaced(store: Store, value: Json, name: string, path: string): Json | null {
  if (value.object === 'charge' && name === 'refunds') value[name] = refundsOf(store, String(value.id));
  const field = value[name];
  if (field === undefined) throw badParameter('expand', `This property cannot be expanded (${path}).`);
  if (field === null || typeof field === 'object') return field as Json | null;
  const kind = KINDS[String(field).split('_')[0] ?? ''];
  const found = kind === undefined ? null : store.find(kind, String(field));
  if (found === null) throw badParameter('expand', `This property cannot be expanded (${path}).`);
  value[name] = found;
  return found as unknown as Json;
}

function refundsOf(store: Store, chargeId: string) {
  const data = store.list<Refund>('refund').filter(({ charge }) => charge === chargeId);
  return { object: 'list', data, has_more: false, url: `/v1/charges/${chargeId}/refunds` };
}
