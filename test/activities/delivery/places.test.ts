// Slots for delivery attempts: hanging receivers hold on to theirs, and others still find some.
import test from 'ava';
import { deliveryPlaces } from '../../../activities/delivery/places.ts';

const HOST = 'https://hooks.example.com';

/** The number of slots available one after another. */
const takeAll = (tryTake: () => boolean) => {
  let taken = 0;
  while (tryTake()) taken += 1;
  return taken;
};

test('an organization takes no more places than it leaves free, so that each newcomer finds some', (t) => {
  const { line } = deliveryPlaces({ all: 24, ofOrigin: 100 });
  const taken = ['a', 'b', 'c', 'd'].map((orgId) => takeAll(line(orgId, `https://${orgId}.example.com`).tryTake));
  // Each takes half of the remaining slots: of 24, then of 12, 6 and 3.
  t.deepEqual(taken, [12, 6, 3, 2]);
});

test('the places at one host are shared likewise, whatever the path, and other hosts and ports are not touched', (t) => {
  const { line } = deliveryPlaces({ all: 1_000, ofOrigin: 8 });
  t.is(takeAll(line('a', `${HOST}/one`).tryTake), 4);
  t.is(takeAll(line('a', `${HOST}/two?x=1`).tryTake), 0);
  t.is(takeAll(line('b', `${HOST}/one`).tryTake), 2);
  t.is(takeAll(line('a', `${HOST}:8443/one`).tryTake), 4);
});

test('a returned place goes to the waiting subscriptions in turn, and to none whose round is over', async (t) => {
  const { line } = deliveryPlaces({ all: 4, ofOrigin: 4 });
  const [first, second] = [line('a', `${HOST}/1`), line('a', `${HOST}/2`)];
  t.is(takeAll(first.tryTake), 2);
  const order: string[] = [];
  const waitFor = async (name: string, one: typeof first) => {
    order.push((await one.take()) ? name : `no ${name}`);
  };
  const all = [waitFor('1', first), waitFor('1', first), waitFor('2', second)];
  for (let n = 0; n < 2; n += 1) first.giveBack();
  first.close();
  await Promise.all(all);
  t.deepEqual(order.toSorted(), ['1', '2', 'no 1']);
  t.false(first.tryTake());
  t.false(await first.take());
});

test('a returned place goes to another organization that waits', async (t) => {
  const { line } = deliveryPlaces({ all: 2, ofOrigin: 2 });
  const [a, b] = [line('a', HOST), line('b', HOST)];
  t.is(takeAll(a.tryTake), 1);
  t.is(takeAll(b.tryTake), 1);
  const waiting = b.take();
  a.giveBack();
  b.close();
  t.false(await waiting, 'one of two places is its own, and no more is free');
  t.is(takeAll(a.tryTake), 1);
});
