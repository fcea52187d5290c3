// The controls over HTTP: `POST /_control/<what>` with a JSON object, `GET /_control/events` and
// `/_control/deliveries`.
import type { CardProcessorControl } from './control.ts';
import type { Order } from './delivery-queue.ts';
import type { Fault } from './faults.ts';
import { badParameter, Problem } from './problem.ts';
import type { Answer } from './wire.ts';

interface ControlRequest {
  intentId?: string;
  paymentMethod?: string;
  setupIntentId?: string;
  paymentMethodId?: string;
  succeeds?: boolean;
  amountCents?: number;
  disputeId?: string;
  reason?: string;
  isInquiry?: boolean;
  refundId?: string;
  payoutId?: string;
  byHand?: boolean;
  currency?: string;
  status?: 'won' | 'lost';
  order?: Order;
  copies?: number;
  atATime?: number;
  eventId?: string;
  times?: number;
  url?: string;
  fault?: Fault;
}

type Deed = (control: CardProcessorControl, request: ControlRequest) => unknown;

const DEEDS: Readonly<Record<string, Deed>> = {
  'GET events': (control) => control.events(),
  'GET deliveries': (control) => control.deliveries(),
  'POST pay': (control, { intentId = '', paymentMethod }) => ({ status: control.pay(intentId, paymentMethod) }),
  'POST authenticate': (control, { intentId = '', succeeds = true }) => ({
    status: control.authenticate(intentId, succeeds),
  }),
  'POST set-up': (control, { setupIntentId = '', paymentMethod }) => ({
    status: control.setUp(setupIntentId, paymentMethod),
  }),
  'POST change-card': (control, { paymentMethodId = '', paymentMethod = '' }) =>
    control.changeCard(paymentMethodId, paymentMethod),
  'POST refund': (control, { intentId = '', amountCents }) => ({ refundId: control.refund(intentId, amountCents) }),
  'POST fail-refund': (control, { refundId = '' }) => control.failRefund(refundId),
  'POST pay-out': (control, { byHand, currency }) => ({ payoutId: control.payOut({ byHand, currency }) }),
  'POST charge-fee': (control, { amountCents = 0 }) => control.chargeAccountFee(amountCents),
  'POST fail-payout': (control, { payoutId = '' }) => control.failPayout(payoutId),
  'POST dispute': (control, { intentId = '', amountCents, reason, isInquiry }) => ({
    disputeId: control.dispute(intentId, amountCents, { reason, isInquiry }),
  }),
  'POST update-dispute': (control, { disputeId = '' }) => control.updateDispute(disputeId),
  'POST close-dispute': (control, { disputeId = '', status = 'won' }) => control.closeDispute(disputeId, status),
  'POST hold': (control) => control.hold(),
  'POST release': (control, request) => control.release(request),
  'POST repeat': (control, { eventId, times }) => control.repeat(eventId, times),
  'POST endpoint': (control, { url = '' }) => control.deliverTo(url),
  'POST fault': (control, { fault }) => (fault === undefined ? control.clearFaults() : control.planFault(fault)),
};

/** Serves a request under `/_control/`. */
export function serveControl(control: CardProcessorControl, method: string, path: string, body: string): Answer {
  const deed = DEEDS[`${method} ${path.slice('/_control/'.length)}`];
  if (deed === undefined) {
    throw new Problem(404, { type: 'invalid_request_error', message: `There is: ${Object.keys(DEEDS).join(', ')}` });
  }
  return { status: 200, body: { data: deed(control, parseRequest(body)) ?? null } };
}

function parseRequest(body: string): ControlRequest {
  if (body === '') return {};
  try {
    return JSON.parse(body) as ControlRequest;
  } catch {
    throw badParameter('body', 'The body is not JSON.');
  }
}
