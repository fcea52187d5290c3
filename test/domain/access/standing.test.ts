// Which tokens a change to their user invalidates. An issuer's clock may run five seconds ahead.
import test from 'ava';
import { refusalByStanding, standingClaim } from '../../../domain/access/standing.ts';

const changedAt = new Date('2026-03-01T12:00:00.400Z');
const second = Date.parse('2026-03-01T12:00:00Z') / 1000;
const changed = { active: true, tokensValidFrom: changedAt };
const untouched = { active: true, tokensValidFrom: null };

test('a token of a standing is served in that standing alone, whenever it says it was signed', (t) => {
  const token = (standing: number) => ({ standing, issuedAtSeconds: second });
  t.is(refusalByStanding(changed, token(standingClaim(changed))), null);
  t.is(refusalByStanding(untouched, token(standingClaim(untouched))), null);
  for (const issuedAtSeconds of [second - 60, second, second + 60]) {
    t.truthy(refusalByStanding(changed, { standing: standingClaim(untouched), issuedAtSeconds }));
    t.is(refusalByStanding(changed, { standing: standingClaim(changed), issuedAtSeconds }), null);
  }
  for (const standing of [0, 1, changedAt.getTime() - 1, changedAt.getTime() + 1, -1]) {
    t.truthy(refusalByStanding(changed, token(standing)), `${standing}`);
  }
});

test('a token that names no standing is served only when no clock could have signed it before the change', (t) => {
  const served = (issuedAtSeconds: number) => refusalByStanding(changed, { standing: null, issuedAtSeconds }) === null;
  for (const ahead of [-1, 0, 1, 5]) t.false(served(second + ahead), `${ahead}`);
  t.true(served(second + 6));
  t.is(refusalByStanding(untouched, { standing: null, issuedAtSeconds: 0 }), null);
});

test('a deactivated user is served by no token', (t) => {
  const gone = { ...changed, active: false };
  t.truthy(refusalByStanding(gone, { standing: standingClaim(gone), issuedAtSeconds: second + 60 }));
  t.truthy(refusalByStanding(gone, { standing: null, issuedAtSeconds: second + 60 }));
});
