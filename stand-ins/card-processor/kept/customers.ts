// Customers: a name and an address to file payments under.
import { allowOnly, metadataOf, textOf } from '../form.ts';
import { newId } from '../ids.ts';
import { type Call, secondsOf, shown } from '../operation.ts';
import { missing } from '../problem.ts';
import type { Answer, Customer } from '../wire.ts';

const FIELDS = ['name', 'email', 'phone', 'description', 'metadata'];

/** POST /v1/customers */
export function createCustomer(call: Call): Answer {
  allowOnly(call.form, ...FIELDS);
  const customer: Customer = {
    ...{
      id: newId('cus'),
      object: 'customer',
      balance: 0,
      created: secondsOf(call),
      currency: null,
      delinquent: false,
    },
    ...{ description: null, email: null, livemode: false, metadata: {}, name: null, phone: null },
  };
  return saved(call, customer, 'customer.created');
}

/** POST /v1/customers/:id */
export function changeCustomer(call: Call): Answer {
  allowOnly(call.form, ...FIELDS);
  const customer = call.store.find<Customer>('customer', call.id);
  if (customer === null) throw missing('customer', call.id);
  return saved(call, customer, 'customer.updated');
}

function saved(call: Call, customer: Customer, event: string): Answer {
  const { form, store, emit } = call;
  const changed: Customer = {
    ...customer,
    name: textOf(form, 'name') ?? customer.name ?? null,
    email: textOf(form, 'email') ?? customer.email,
    phone: textOf(form, 'phone') ?? customer.phone ?? null,
    description: textOf(form, 'description') ?? customer.description,
    metadata: { ...customer.metadata, ...metadataOf(form) },
  };
  store.save(changed);
  emit(event, changed);
  return shown(changed);
}
