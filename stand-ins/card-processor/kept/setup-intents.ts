// Setup intents: a card is stored for later charges, without a charge now.
import { allowOnly, metadataOf, textOf } from '../form.ts';
import { newClientSecret, newId } from '../ids.ts';
import { type Call, secondsOf, shown, type Work } from '../operation.ts';
import { badParameter, missing, wrongState } from '../problem.ts';
import { outcomeOf } from '../test-cards.ts';
import type { Answer, SetupIntent } from '../wire.ts';
import { keepCard } from './payment-methods.ts';

const OPEN: readonly SetupIntent['status'][] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** POST /v1/setup_intents */
export function createSetup(call: Call): Answer {
  const { form, store, emit } = call;
  allowOnly(form, 'customer', 'usage', 'payment_method_types', 'metadata', 'description');
  const customer = textOf(form, 'customer');
  if (customer !== null && store.find('customer', customer) === null)
    throw missing('customer', customer, 'customer', 400);
  const id = newId('seti');
  const setup: SetupIntent = {
    ...{ id, object: 'setup_intent', client_secret: newClientSecret(id), created: secondsOf(call), customer },
    ...{ cancellation_reason: null, description: textOf(form, 'description'), last_setup_error: null },
    ...{ livemode: false, metadata: metadataOf(form), next_action: null, payment_method: null },
    ...{ payment_method_types: ['card'], status: 'requires_payment_method' },
    usage: textOf(form, 'usage') ?? 'off_session',
  };
  store.save(setup);
  emit('setup_intent.created', setup);
  return shown(setup);
}

/** POST /v1/setup_intents/:id/confirm */
export function confirmSetup(call: Call): Answer {
  allowOnly(call.form, 'payment_method', 'return_url', 'use_stripe_sdk', 'client_secret');
  const setup = openSetup(call, call.id);
  const testCard = textOf(call.form, 'payment_method');
  if (testCard === null) throw badParameter('payment_method', 'A payment method is needed.', 'parameter_missing');
  const outcome = outcomeOf(testCard);
  if (outcome.kind === 'declined' && !outcome.isKept) {
    setup.last_setup_error = outcome.error;
    call.store.save(setup);
    call.emit('setup_intent.setup_failed', setup);
    return { status: 402, body: { error: { ...outcome.error, setup_intent: setup } } };
  }
  setup.payment_method = keepCard(call, setup.customer, testCard).id;
  if (outcome.kind === 'needs_action') {
    Object.assign(setup, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    call.store.save(setup);
    return shown(setup);
  }
  return shown(succeed(call, setup));
}

/** POST /v1/setup_intents/:id/cancel */
export function cancelSetup(call: Call): Answer {
  allowOnly(call.form, 'cancellation_reason');
  const setup = openSetup(call, call.id);
  setup.status = 'canceled';
  call.store.save(setup);
  call.emit('setup_intent.canceled', setup);
  return shown(setup);
}

/** A customer confirms a setup, and answers their bank's challenge if there is one. */
export function setUp(work: Work, id: string, testCard: string): SetupIntent {
  confirmSetup({ ...work, id, form: { payment_method: testCard } });
  const setup = found(work, id);
  return setup.status === 'requires_action' ? succeed(work, setup) : setup;
}

function succeed(work: Work, setup: SetupIntent): SetupIntent {
  Object.assign(setup, { status: 'succeeded', next_action: null, last_setup_error: null });
  work.store.save(setup);
  work.emit('setup_intent.succeeded', setup);
  return setup;
}

function openSetup(work: Work, id: string): SetupIntent {
  const setup = found(work, id);
  if (OPEN.includes(setup.status)) return setup;
  const message = `This SetupIntent has a status of ${setup.status}.`;
  throw wrongState('setup_intent_unexpected_state', message);
}

function found({ store }: Work, id: string): SetupIntent {
  const setup = store.find<SetupIntent>('setup_intent', id);
  if (setup === null) throw missing('setupintent', id);
  return setup;
}
