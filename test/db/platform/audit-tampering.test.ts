import anyTest, { type TestFn } from 'ava';
import { type ChainReport, verifyAudit } from '../../../db/audit/audit-verification.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';
import { asOwner, seal, writeRows } from './audit-rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

interface Tampering {
  what: string;
  /** Acts on six sealed rows, two per seal, and a seventh that waits. */
  sql: (orgId: string, ids: string[]) => string;
  /** A row by its position among the seven, or the number of a seal. */
  found: { row: number } | { seal: number };
  reason: RegExp;
}

const TAMPERINGS: Tampering[] = [
  {
    what: 'a changed value',
    sql: (_, ids) => `update audit_entries set changes = jsonb_set(changes, '{n,after}', '99') where id = '${ids[2]}'`,
    found: { row: 2 },
    reason: /not what was sealed at place 1 of seal 2/,
  },
  {
    what: 'a number changed beyond what a JavaScript number can tell',
    sql: (_, ids) =>
      `update audit_entries set changes = jsonb_set(changes, array['größe "1"', 'before'], '1.50') where id = '${ids[4]}'`,
    found: { row: 4 },
    reason: /not what was sealed/,
  },
  {
    what: 'another actor',
    sql: (_, ids) => `update audit_entries set actor_id = 'usr_other' where id = '${ids[5]}'`,
    found: { row: 5 },
    reason: /not what was sealed/,
  },
  {
    what: 'an instant moved by a millisecond',
    sql: (_, ids) => `update audit_entries set created_at = created_at + interval '1 ms' where id = '${ids[0]}'`,
    found: { row: 0 },
    reason: /not what was sealed/,
  },
  {
    what: 'a removed row',
    sql: (_, ids) => `delete from audit_entries where id = '${ids[3]}'`,
    found: { row: 3 },
    reason: /missing, at place 2 of seal 2/,
  },
  {
    what: 'a row removed with its link',
    sql: (_, ids) =>
      `delete from audit_entries where id = '${ids[2]}'; delete from audit_links where entry_id = '${ids[2]}'`,
    found: { seal: 2 },
    reason: /place 1 is missing/,
  },
  {
    what: 'a row given to another organization',
    sql: (_, ids) => `update audit_entries set org_id = 'platform' where id = '${ids[1]}'`,
    found: { row: 1 },
    reason: /missing/,
  },
  {
    what: 'a row inserted beside the chain',
    sql: (_, ids) =>
      `insert into audit_entries select 'aud_00000000000000000000000001', org_id, actor_kind, actor_id, actor_role, action,
         entity_type, entity_id, request_id, changes, created_at, updated_at from audit_entries where id = '${ids[1]}'`,
    found: { row: -1 },
    reason: /outside the chain/,
  },
  {
    what: 'a row inserted into a seal',
    sql: (orgId, ids) =>
      `insert into audit_entries select 'aud_00000000000000000000000001', org_id, actor_kind, actor_id, actor_role, action,
         entity_type, entity_id, request_id, changes, created_at, updated_at from audit_entries where id = '${ids[1]}';
       insert into audit_links values ('${orgId}', 'aud_00000000000000000000000001', 1, 3, repeat('a', 64))`,
    found: { row: -1 },
    reason: /inserted into seal 1/,
  },
  {
    what: 'two rows in each other’s place',
    sql: (_, ids) =>
      `update audit_links set ordinal = 9 where entry_id = '${ids[2]}';
       update audit_links set ordinal = 1 where entry_id = '${ids[3]}';
       update audit_links set ordinal = 2 where entry_id = '${ids[2]}'`,
    found: { row: 3 },
    reason: /not what was sealed/,
  },
  {
    what: 'a removed seal',
    sql: (orgId) => `delete from audit_seals where org_id = '${orgId}' and sequence = 2`,
    found: { seal: 2 },
    reason: /missing/,
  },
  {
    what: 'the last seal removed',
    sql: (orgId) => `delete from audit_seals where org_id = '${orgId}' and sequence = 3`,
    found: { row: 4 },
    reason: /seal that covered it is missing/,
  },
  {
    what: 'a link broken between seals',
    sql: (orgId) => `update audit_seals set previous_hash = repeat('b', 64) where org_id = '${orgId}' and sequence = 3`,
    found: { seal: 3 },
    reason: /does not follow/,
  },
  {
    what: 'the time of a seal changed',
    sql: (orgId) =>
      `update audit_seals set sealed_at = sealed_at + interval '1 ms' where org_id = '${orgId}' and sequence = 1`,
    found: { seal: 1 },
    reason: /rows or figures/,
  },
  {
    what: 'a row that was not sealed yet removed',
    sql: (_, ids) => `delete from audit_entries where id = '${ids[6]}'`,
    found: { row: 6 },
    reason: /not sealed yet/,
  },
  {
    what: 'a row that was not sealed yet taken out of the queue',
    sql: (_, ids) => `delete from audit_links where entry_id = '${ids[6]}'`,
    found: { row: 6 },
    reason: /outside the chain/,
  },
];

for (const { what, sql, found, reason } of TAMPERINGS) {
  test.serial(`verification names the place of ${what}`, async (t) => {
    const { database, urls } = t.context;
    const orgId = await addOrganization(database);
    const ids = await writeRows(database, orgId, 6);
    for (let i = 0; i < 3; i += 1) await seal(database, 2);
    ids.push(...(await writeRows(database, orgId, 1)));
    t.like(await verifyAudit(database, orgId), { seals: 3, entries: 6, unsealed: { count: 1 }, fault: null });
    await asOwner(urls.ownerUrl, sql(orgId, ids));
    const { fault }: ChainReport = await verifyAudit(database, orgId);
    const where =
      'seal' in found ? { sequence: found.seal } : { entryId: ids[found.row] ?? 'aud_00000000000000000000000001' };
    t.deepEqual(fault?.where as object, where);
    t.regex(fault?.reason ?? '', reason);
    await asOwner(urls.ownerUrl, `delete from audit_entries where id = 'aud_00000000000000000000000001'`);
  });
}
