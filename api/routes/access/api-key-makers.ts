// Who may make an API key: no key exceeds its maker's rights or outlives the grant behind it. Contract 2.
import type { EntityManager } from '@mikro-orm/postgresql';
import { holdMaker } from '../../../db/queries/access/api-keys.ts';
import { holdOperator } from '../../../db/queries/access/relations.ts';
import {
  isMakerActive,
  isStillEntitled,
  type KeyMaker,
  type KeyReach,
  type MakerStanding,
} from '../../../domain/access/key-makers.ts';
import { DomainError } from '../../../domain/errors.ts';
import { notFound } from '../../spine/validation.ts';

/**
 * Refuses makers who lost their account, role or tuple while their token is still valid: the key would outlive it.
 * Account, role and tuple are locked until the transaction ends, so whatever removes them finds the key.
 * @returns the maker's current standing
 * @throws DomainError not_found without the tuple, unauthenticated for a deactivated user, forbidden for one whose role
 * has changed
 */
export async function holdEntitledMaker(em: EntityManager, key: KeyReach & KeyMaker): Promise<MakerStanding[]> {
  if (key.throughOperator && !(await holdOperator(em, key.createdBy))) throw notFound('organization');
  const maker = await holdMaker(em, key.createdBy);
  if (!isMakerActive(key.orgId, maker)) throw new DomainError('unauthenticated', 'The credential is not valid.');
  if (isStillEntitled(key, maker)) return maker;
  throw new DomainError('forbidden', 'The user who created this key no longer has the permissions that it grants.', {
    permission: 'api_key:manage',
  });
}
