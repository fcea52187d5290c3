// Delegated-authority contracts: what the organization may bind on its own. The organization's administrator may only
// tighten one. Contract 3.10.

import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import {
  contractsOfYear,
  findContract,
  isBoundUnder,
  listContracts,
  lockContract,
  lockUsages,
} from '../../../db/queries/authority/authority.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { changedFields } from '../../../domain/audit.ts';
import { limitAlert, tightensPastThreshold } from '../../../domain/authority/authority.ts';
import { ensureCarrierStays, tightensOnly } from '../../../domain/authority/authority-contract.ts';
import { handsOver } from '../../../domain/authority/governing-contract.ts';
import type { Cents } from '../../../domain/money.ts';
import { ensureMay, type ResourceFacts } from '../../../domain/permissions.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import {
  DaContractChangesSchema,
  DaContractCreateSchema,
  DaContractListQuery,
  DaContractPageSchema,
  DaContractSchema,
} from './da-contracts.schemas.ts';
import { contractChanges, contractToWire, newContract } from './da-contracts.wire.ts';

const TAG = 'Delegated authority';
const SPEC = 'Contract 3.10';
const params = z.strictObject({ id: idParam('daContract') });
const entityType = 'da_contract';

const factsOf = ({ orgId }: DaContract): ResourceFacts => ({ orgId });

const daContractResource: Resource<DaContract> = {
  name: entityType,
  load: findContract,
  facts: factsOf,
  version: ({ version }) => version,
};

const createContract = route({
  method: 'post',
  path: '/da-contracts',
  operationId: 'createDaContract',
  tag: TAG,
  spec: SPEC,
  summary: 'Record a contract',
  description:
    'The contract sets the limits, lines and states within which you may bind for a carrier. Only roles of the platform record one; administrators may tighten it afterwards.',
  access: allow('da_contract:create'),
  body: DaContractCreateSchema,
  response: { status: 201, body: DaContractSchema },
  errors: [],
  handler: ({ body, actor, requestId, db, command }) =>
    db.answer(async (em) => {
      const id = newId('daContract', command.seedUuid);
      const facts = newContract(body);
      const contract = addRow(em, DaContract, { id, ...facts });
      const changes = changedFields(null, facts);
      writeAudit(em, { actor, action: 'da_contract:create', entityType, entityId: id, requestId, changes });
      await em.flush();
      return reply({ body: contractToWire(contract), etag: entityTag(id, contract.version) });
    }),
});

const listContractsRoute = route({
  method: 'get',
  path: '/da-contracts',
  operationId: 'listDaContracts',
  tag: TAG,
  spec: SPEC,
  summary: 'List contracts',
  description:
    'Filter by status. Each contract shows its limits, its lines, its states and the industries that it prohibits or refers.',
  access: allow('da_contract:read'),
  query: DaContractListQuery,
  response: { status: 200, body: DaContractPageSchema },
  errors: [],
  handler: async ({ query, db }) => pageToWire(await db.read((em) => listContracts(em, query)), contractToWire),
});

const getContract = route({
  method: 'get',
  path: '/da-contracts/:id',
  operationId: 'getDaContract',
  tag: TAG,
  spec: SPEC,
  summary: 'Read a contract',
  description:
    'It shows the limits within which you may bind for the carrier. Use is counted for each contract and year.',
  access: allow('da_contract:read', daContractResource),
  params,
  response: { status: 200, body: DaContractSchema },
  errors: [],
  handler: ({ row }) => contractToWire(row),
});

const changeContract = route({
  method: 'patch',
  path: '/da-contracts/:id',
  operationId: 'changeDaContract',
  tag: TAG,
  spec: SPEC,
  summary: 'Change a contract',
  description:
    'An org_admin may lower limits, narrow lists and suspend a contract, as long as no other contract then governs in its place. Anything else is 403. The carrier of a contract under which policies were bound stays: record another contract for another carrier.',
  access: allow('da_contract:tighten', daContractResource),
  params,
  body: DaContractChangesSchema,
  response: { status: 200, body: DaContractSchema },
  errors: ['invalid_state_transition'],
  handler: ({ row: { id }, body, actor, requestId, db, deps, ensureUnchanged }) =>
    db.transaction(async (em) => {
      const contract = present(await lockContract(em, id));
      ensureUnchanged(contract);
      const patch = contractChanges(body);
      const isTighter =
        tightensOnly(contract, patch) && !handsOver(await contractsOfYear(em, contract.year), id, patch);
      if (!isTighter) ensureMay(actor, 'da_contract:update', factsOf(contract));
      if (await isBoundUnder(em, id)) ensureCarrierStays(contract, body.carrier ?? contract.carrier);
      const changes = changedFields(limitsOf(contract), { ...limitsOf(contract), ...patch });
      const volumeBefore = contract.maxAnnualPremiumVolumeCents;
      em.assign(contract, patch as Partial<DaContract>);
      await alertCrossings(em, contract, volumeBefore, new Date(deps.now()));
      writeAudit(em, { actor, action: 'da_contract:update', entityType, entityId: id, requestId, changes });
      await em.flush();
      return reply({ body: contractToWire(contract), etag: entityTag(id, contract.version) });
    }),
});

export const daContractRoutes = [createContract, listContractsRoute, getContract, changeContract];

/** Lowering the volume limit can by itself bring the written volume near or over it. Contract 3.7. */
async function alertCrossings(em: EntityManager, contract: DaContract, volumeBefore: Cents, at: Date): Promise<void> {
  const { id, maxAnnualPremiumVolumeCents: volumeAfter } = contract;
  if (volumeAfter >= volumeBefore) return;
  for (const { usedCents } of await lockUsages(em, id)) {
    if (!tightensPastThreshold(usedCents, volumeBefore, volumeAfter)) continue;
    writeEvent(em, 'da.limit_approaching', limitAlert(id, usedCents, volumeAfter), at);
  }
}

function limitsOf(contract: DaContract) {
  const { id, orgId, version, createdAt, updatedAt, ...limits } = contract;
  return limits;
}
