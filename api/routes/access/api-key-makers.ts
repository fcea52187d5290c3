// Who may make an API key: no key exceeds its maker's rights or outlives the grant behind it. Contract 2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKey } from '../../../db/entities/access/api-key.ts';
import { holdMaker } from '../../../db/queries/access/api-keys.ts';
import { holdOperator } from '../../../db/queries/access/relations.ts';
import {
  isMakerActive,
  isStillEntitled,
  type KeyReach,
  keyRoleOf,
  type MakerStanding,
  scopeBeyond,
} from '../../../domain/access/key-makers.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { notFound } from '../../spine/validation.ts';

const permission = 'api_key:manage';

type Maker = Pick<ApiKey, 'createdBy' | 'makerRole' | 'throughOperator'>;

/**
 * Returns the identity that a new key acts as.
 * @throws DomainError forbidden, with `{requiredScope}` for a scope beyond the maker's role. Contract 2.
 */
export function makerOf({ id, role, orgId, homeOrgId }: Actor, scopes: readonly string[]): Maker {
  const makerRole = keyRoleOf(role);
  if (makerRole === null)
    throw new DomainError('forbidden', 'Your role does not allow you to create API keys.', { permission });
  const requiredScope = scopeBeyond(makerRole, scopes);
  if (requiredScope !== null) {
    const message = `Your role does not allow an API key with the scope ${requiredScope}.`;
    throw new DomainError('forbidden', message, { permission, requiredScope });
  }
  return { createdBy: id, makerRole, throughOperator: role === 'platform_operator' && orgId !== homeOrgId };
}

/**
 * Refuses makers who lost their account, role or tuple while their token is still valid: the key would outlive it.
 * Account, role and tuple are locked until the transaction ends, so whatever removes them finds the key.
 * @returns the maker's current standing
 * @throws DomainError not_found without the tuple, unauthenticated for a deactivated user, forbidden for one whose role
 * has changed
 */
export async function holdEntitledMaker(em: EntityManager, key: KeyReach & Maker): Promise<MakerStanding[]> {
  if (key.throughOperator && !(await holdOperator(em, key.createdBy))) throw notFound('organization');
  const maker = await holdMaker(em, key.createdBy);
  if (!isMakerActive(key.orgId, maker)) throw new DomainError('unauthenticated', 'The credential is not valid.');
  if (isStillEntitled(key, maker)) return maker;
  throw new DomainError('forbidden', 'The user who created this key no longer has the permissions that it grants.', {
    permission,
  });
}
