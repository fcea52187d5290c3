// Which invoices a policy change's refund is taken from, and its composition.
import test from 'ava';
import { partsOfLines, takeOff, totalOfParts } from '../../../domain/policy/parts.ts';
import { divideRefund } from '../../../domain/policy/refund-parts.ts';
import { fc } from '../../support/fixed/chance.ts';

const parts = (premiumCents: number, taxCents = 0, stampingCents = 0, feeCents = 0) => ({
  ...{ premiumCents, taxCents, stampingCents, feeCents },
});

test('each part comes off the invoice that holds it, in the order of the invoices', (t) => {
  const invoices = [
    { id: 'last', heldCents: 2_000, parts: parts(2_000) },
    { id: 'first', heldCents: 3_000, parts: parts(2_500, 400, 20, 80) },
  ];
  const refunds = divideRefund(parts(3_000, 110, 10), invoices);
  t.deepEqual(refunds, [
    { invoiceId: 'last', amountCents: 2_000, composition: parts(2_000) },
    { invoiceId: 'first', amountCents: 1_120, composition: parts(1_000, 110, 10) },
  ]);
});

test('lines are sorted by their meaning', (t) => {
  const line = (kind: 'premium' | 'credit' | 'fee' | 'tax', code: string, amountCents: number) => ({
    kind,
    code,
    amountCents,
  });
  const lines = [
    ...[line('premium', 'PREMIUM', 900), line('credit', 'PREMIUM', -100), line('fee', 'POLICY_FEE', 5)],
    ...[line('tax', 'SL_TAX', 40), line('tax', 'STAMPING_FEE', 3)],
  ];
  t.deepEqual(partsOfLines(lines), parts(800, 40, 3, 5));
});

test('refunds sum to the amount to be refunded, and no invoice gives more than it holds', (t) => {
  const cents = fc.nat({ max: 100_000 });
  const anyParts = fc.tuple(cents, cents, cents, cents).map((each) => parts(...each));
  const anyInvoice = fc.record({ parts: anyParts, goneCents: cents });
  const property = fc.property(fc.array(anyInvoice, { minLength: 1 }), anyParts, (drawn, drawnParts) => {
    const invoices = drawn.map(({ parts: held, goneCents }, index) => {
      return { id: `inv_${index}`, parts: held, heldCents: Math.max(totalOfParts(held) - goneCents, 0) };
    });
    const room = new Map(invoices.map(({ id, heldCents }) => [id, heldCents]));
    const roomCents = [...room.values()].reduce((sum, each) => sum + each, 0);
    const wanted = takeOff(drawnParts, Math.max(totalOfParts(drawnParts) - roomCents, 0));
    const refundCents = totalOfParts(wanted);
    const refunds = divideRefund(wanted, invoices);
    const sum = refunds.reduce((total, { amountCents }) => total + amountCents, 0);
    if (sum !== refundCents) return false;
    return refunds.every(({ invoiceId, amountCents, composition }) => {
      const isWhole =
        totalOfParts(composition) === amountCents && Object.values(composition).every((part) => part >= 0);
      return isWhole && amountCents <= (room.get(invoiceId) ?? 0);
    });
  });
  t.notThrows(() => fc.assert(property));
});
