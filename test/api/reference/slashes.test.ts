// Page addresses with a trailing slash. In a separate file: one address may send 120 requests a minute without a
// credential, and the browser tests of the pages need nearly as many.
import test from 'ava';
import { ROUTES } from '../../../api/routes/index.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

let spine: Spine;

test.before('an API with all of its operations', async (t) => {
  spine = await startSpine(t, { deps: { routes: ROUTES } });
});

test('a slash behind the address of a page leads to the page, also below a path of a proxy', async (t) => {
  for (const [path, location] of [
    ['/docs/', '../docs'],
    ['/docs/guides/', '../guides'],
    ['/docs/guides/paging/', '../paging'],
  ] as const) {
    const { status, headers } = await fetch(`${spine.url}${path}`, { redirect: 'manual' });
    t.deepEqual([status, headers.get('location')], [308, location]);
    t.is((await fetch(`${spine.url}${path}`)).status, 200, path);
  }
  t.is((await spine.with({}).get('/docs/files/')).status, 404);
  t.is((await spine.with({}).get('/v1/')).status, 404);
});
