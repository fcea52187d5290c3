// How secrets are compared and how sessions are sealed.
import test from 'ava';
import { isSameSecret } from '../../providers/constant-time.ts';
import { openSessionToken, sealSessionToken } from '../../providers/session-token.ts';
import { readSources } from '../support/tidy/source.ts';

const SECRET = 'a secret of the tests, long enough';

test('secrets are the same only when every byte is', (t) => {
  t.true(isSameSecret('', ''));
  t.true(isSameSecret('ü', 'ü'));
  for (const other of ['', 'a', 'abd', 'abc ', 'ABC', 'abc\0']) t.false(isSameSecret(other, 'abc'), other);
});

test('one helper compares secrets, and nothing else reaches for the primitive', (t) => {
  const users = readSources()
    .filter(({ codeLines }) => codeLines.some((line) => /\btimingSafeEqual\b/.test(line)))
    .map(({ path }) => path);
  t.deepEqual(users, ['providers/constant-time.ts']);
});

test('every check of a signature, a code or a secret uses the helper', (t) => {
  const expected = [
    'api/credentials/caller.ts',
    'api/credentials/one-time-codes.ts',
    'api/routes/access/auth-demo.ts',
    'auth/microsoft/provider.ts',
    'auth/microsoft/sign-on.ts',
    'providers/session-token.ts',
  ];
  const users = readSources()
    .filter(
      ({ path, codeLines }) => !path.startsWith('test/') && codeLines.some((line) => /\bisSameSecret\(/.test(line)),
    )
    .map(({ path }) => path);
  for (const path of expected) t.true(users.includes(path), path);
});

test('a sealed session opens with the key that sealed it, as text and as a cookie, and with no other', (t) => {
  const sealed = sealSessionToken('token', SECRET);
  t.is(openSessionToken(sealed, SECRET), 'token');
  t.is(openSessionToken(encodeURIComponent(sealed), SECRET), 'token');
  t.is(openSessionToken(sealed, `${SECRET}!`), null);
  for (const forged of [
    'token',
    'token.',
    '.',
    '',
    `other${sealed.slice(5)}`,
    sealed.slice(0, -1),
    `${sealed}=`,
    '%',
  ]) {
    t.is(openSessionToken(forged, SECRET), null, forged);
  }
  t.is(openSessionToken(sealSessionToken('x'.repeat(600), SECRET), SECRET), null);
});
