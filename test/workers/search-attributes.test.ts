import type { NativeConnection } from '@temporalio/worker';
import test from 'ava';
import { registerSearchAttributes } from '../../workers/search-attributes.ts';

const TEXT = 1;
const KEYWORD = 2;

/** A server that knows these attributes, and remembers the added ones. */
function serverWith(customAttributes: Record<string, number>) {
  const added: string[] = [];
  const operatorService = {
    listSearchAttributes: async () => ({ customAttributes }),
    addSearchAttributes: async (request: { searchAttributes: Record<string, number> }) => {
      added.push(...Object.keys(request.searchAttributes));
    },
  };
  return { added, connection: { operatorService } as unknown as NativeConnection };
}

test('search attributes that are missing are added, and those that are there are left alone', async (t) => {
  const { added, connection } = serverWith({ OrgId: KEYWORD, EntityId: KEYWORD });
  await registerSearchAttributes(connection, 'default');
  t.deepEqual(added.sort(), ['EntityStatus', 'LineOfBusiness', 'PolicyNumber']);
});

test('a search attribute of another type stops the start and is named', async (t) => {
  const { added, connection } = serverWith({ OrgId: TEXT });
  await t.throwsAsync(registerSearchAttributes(connection, 'default'), { message: /OrgId/ });
  t.deepEqual(added, []);
});
