// An insured's contact details in the policyholder portal. A change applies to all of their terms, is audited, and is
// reported to their producer. Spec 2.11, 4.14, Contract 3.7 "Portal".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { isUndeliverable } from '../../../db/queries/delivery/sent-mails.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { lockInsured, lockOwnTerms, producerEmailsOf } from '../../../db/queries/portal/profiles.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { Mail } from '../../../providers/mail-port.ts';
import { allow } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idReference, instant } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { addressToWire, instantToWire } from '../billing/charges.wire.ts';
import { changedPhoneNumber, ensurePhoneNumber } from '../phone-number.ts';
import { AddressInputSchema, AddressSchema } from '../submission/submissions.schemas.ts';
import { PORTAL } from './own-rows.ts';

const ProfileSchema = z
  .strictObject({
    insuredId: idReference('insured'),
    orgId: idReference('organization'),
    policyId: idReference('policy').meta({ description: "The token's policy." }),
    policyNumber: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: AddressSchema.nullable().meta({
      description: 'The mailing address of the insured. Until they give one, the insured address of the policy.',
    }),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PortalProfile' });

const ProfileChangeSchema = z
  .strictObject({ phone: changedPhoneNumber.optional(), address: AddressInputSchema.optional() })
  .meta({ id: 'PortalProfileChange', description: 'Fields that you leave out stay as they are.' });

type ProfileChange = z.output<typeof ProfileChangeSchema>;

const getProfile = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/profile',
  operationId: 'getPortalProfile',
  isTagged: true,
  summary: "Read the insured's contact",
  description:
    'The phone number and the address are for mail to the insured; the policy keeps its own. Change them with PUT.',
  access: allow('portal:use'),
  response: { status: 200, body: ProfileSchema },
  errors: ['not_found'],
  handler: async ({ actor, db }) => {
    const policy = await db.read((em) => findPolicy(em, actor.id));
    if (policy === null) throw notFound('policy');
    return profileReply(policy);
  },
});

const changeProfile = route({
  ...PORTAL,
  method: 'put',
  path: '/portal/profile',
  operationId: 'changePortalProfile',
  summary: "Change the insured's phone and address",
  description:
    'It changes the contact on every term of the insured, and their producer gets an e-mail. The insured address of a ' +
    'policy is one of its terms: only an endorsement can change it.',
  access: allow('portal:use'),
  body: ProfileChangeSchema,
  response: { status: 200, body: ProfileSchema },
  errors: ['not_found', 'precondition_failed'],
  handler: async ({ body, actor, requestId, db, deps, ensureUnchanged }) => {
    const { policy, mails } = await db.transaction(async (em) => {
      const terms = await lockOwnTerms(em, actor.id);
      const named = terms.find(({ id }) => id === actor.id);
      if (named === undefined) throw notFound('policy');
      ensureUnchanged(named);
      ensurePhoneNumber('phone', body.phone, named.insuredPhone);
      const changed = terms.filter((term) => {
        const changes = changeContact(term, body);
        const isChanged = Object.keys(changes).length > 0;
        const about = { action: 'profile:update', entityType: 'policy', entityId: term.id };
        if (isChanged) writeAudit(em, { ...about, actor, requestId, changes });
        return isChanged;
      });
      em.assign(await lockInsured(em, named.insuredId), body);
      await em.flush();
      return {
        policy: named,
        mails: noticesTo(await deliverable(em, await producerEmailsOf(em, changed)), changed, body),
      };
    });
    mailLater(mails, deps);
    return profileReply(policy);
  },
});

export const portalProfileRoutes = [getProfile, changeProfile];

/** Changes the contact of a term and returns the changes for its audit row. */
function changeContact(term: Policy, { phone, address }: ProfileChange) {
  const before = contactOf(term);
  if (phone !== undefined) term.insuredPhone = phone;
  if (address !== undefined) term.contactAddress = address as Policy['contactAddress'];
  return auditedChanges(before, contactOf(term));
}

function contactOf({ insuredPhone, contactAddress }: Policy) {
  return { insuredPhone, contactAddress };
}

/** Leaves out addresses to which the organization no longer sends mail. */
async function deliverable(em: EntityManager, addresses: readonly string[]): Promise<string[]> {
  const dead = await Promise.all(addresses.map((address) => isUndeliverable(em, address)));
  return addresses.filter((_, index) => !dead[index]);
}

/** Says what changed but not the new value: many people read mail. */
function noticesTo(producers: string[], terms: readonly Policy[], change: ProfileChange): Mail[] {
  const numbers = terms.map(({ policyNumber }) => policyNumber).join(', ');
  const text = [
    `The insured on ${numbers} changed these contact details in the portal: ${Object.keys(change).join(', ')}.`,
    '',
    'The policies already show the new details. If an insured location has changed, request an endorsement.',
    '',
  ].join('\n');
  return producers.map((to) => ({ to, subject: `Insured's contact details changed: ${numbers}`, text }));
}

/** The caller does not wait for the mail, and a mail server that is down does not undo the change. */
function mailLater(mails: readonly Mail[], { mail, inBackground }: RuntimeDeps): void {
  if (mails.length === 0) return;
  inBackground('mailing a new contact to the producer', Promise.all(mails.map((each) => mail.send(each))));
}

function profileReply(policy: Readonly<Policy>): Reply {
  const { id: policyId, orgId, insuredId, policyNumber, insuredName: name, version } = policy;
  const body = {
    ...{ insuredId, orgId, policyId, policyNumber, name, email: policy.insuredEmail, phone: policy.insuredPhone },
    address: addressToWire(policy.contactAddress ?? policy.insuredAddress),
    ...{ version, createdAt: instantToWire(policy.createdAt), updatedAt: instantToWire(policy.updatedAt) },
  };
  return reply({ body, etag: entityTag(policyId, version) });
}
