// Which parts of an invoice were returned. Figures by hand.
import test from 'ava';
import { NO_PARTS } from '../../../domain/policy/parts.ts';
import { returnedParts } from '../../../domain/policy/returned-parts.ts';

const line = (kind: 'premium' | 'tax', code: string, amountCents: number) => ({
  ...{ kind, code, amountCents, description: code },
});

test('a refund takes the parts in the ledger, whatever parts the lines have exchanged since', (t) => {
  // 60.00 of 100.00 premium and 20.00 tax; since then 6.00 of the tax has become premium.
  const lines = [line('premium', 'PREMIUM', 10_600), line('tax', 'SL_TAX', 1_400)];
  const posted = { ...NO_PARTS, premiumCents: 5_000, taxCents: 1_000 };
  t.deepEqual(returnedParts(lines, [{ cents: 6_000, composition: null, posted }]), posted);
  const inProportion = { ...NO_PARTS, premiumCents: 5_300, taxCents: 700 };
  t.deepEqual(returnedParts(lines, [{ cents: 6_000, composition: null, posted: null }]), inProportion);
  const asNobodyHadAShare = [{ cents: 6_000, composition: null, posted: NO_PARTS }];
  t.deepEqual(returnedParts(lines, asNobodyHadAShare), inProportion);
});
