// Maps producers between the wire and the rows. Pure. Contract 3.7.
import type { Producer } from '../../../db/entities/distribution/producer.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { licenseStatusOn } from '../../../domain/distribution/license.ts';
import { addressToWire, instantToWire } from '../billing/charges.wire.ts';
import type { ProducerCreate, ProducerWire } from './producers.schemas.ts';

/** The columns of a new producer. */
export function newProducer({ name, email, phone, npn, licenses, address, parentId }: ProducerCreate) {
  return {
    parentId: parentId ?? null,
    ...{ name, email: email ?? null, phone: phone ?? null, npn: npn ?? null },
    ...{ licenses: licenses ?? [], address: address ?? null, status: 'pending' as const, identity: null },
  };
}

/** Returns a producer, with its licenses as of a date. */
export function producerToWire(producer: Producer, today: BusinessDate): ProducerWire {
  const { id, orgId, parentId, name, email, phone, npn, status, licenses, address, identity, version } = producer;
  return {
    ...{ id, orgId, parentId, name, email, phone, npn, status },
    licenses: licenses.map((license) => ({ ...license, status: licenseStatusOn(license, today) })),
    address: addressToWire(address),
    identity: identity && { inquiryId: identity.inquiryId, completedAt: identity.completedAt },
    version,
    createdAt: instantToWire(producer.createdAt),
    updatedAt: instantToWire(producer.updatedAt),
  };
}

/** What an audit row says about a producer: personal data is only marked as changed. */
export function auditedProducer(producer: ProducerFacts): object {
  const { name, email, phone, npn, status, licenses, address, parentId } = producer;
  const personal = { producerName: name, producerEmail: email, producerPhone: phone, producerAddress: address };
  return { ...personal, npn, status, licenses, parentId };
}

type ProducerFacts = Pick<
  Producer,
  'name' | 'email' | 'phone' | 'npn' | 'status' | 'licenses' | 'address' | 'parentId'
>;
