// Which addresses count as one client, however they are spelled.
import test from 'ava';
import { clientOf } from '../../http/client-address.ts';

test('an IPv4 address is itself, also when it comes mapped into IPv6 or with a port', (t) => {
  for (const spelling of [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '::FFFF:203.0.113.9',
    '0:0:0:0:0:ffff:203.0.113.9',
    '::ffff:cb00:7109',
    '203.0.113.9:51234',
    '[::ffff:203.0.113.9]:51234',
    ' 203.0.113.9 ',
  ]) {
    t.is(clientOf(spelling), '203.0.113.9', spelling);
  }
});

test('all addresses of an IPv6 network of /64 are one client, and those of the next are another', (t) => {
  for (const spelling of [
    '2001:db8:0:1::',
    '2001:db8:0:1::7',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1:0:0:192.0.2.1',
    '2001:db8:0:1::7%eth0',
    '[2001:db8:0:1::7]:443',
    '[2001:db8:0:1::7]',
  ]) {
    t.is(clientOf(spelling), '2001:db8:0:1::/64', spelling);
  }
  t.is(clientOf('2001:db8:0:2::7'), '2001:db8:0:2::/64');
  t.is(clientOf('2001:db8::7'), '2001:db8:0:0::/64');
  t.is(clientOf('::1'), '0:0:0:0::/64');
  t.is(clientOf('fe80::1'), 'fe80:0:0:0::/64');
});

test('invalid addresses are counted together', (t) => {
  for (const text of ['', 'unknown', '_hidden', '1.2.3', '300.1.1.1', '2001:db8', '[::1', 'a b', '1.2.3.4:x']) {
    t.is(clientOf(text), 'unreadable', text);
  }
});
