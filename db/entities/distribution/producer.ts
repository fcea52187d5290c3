// An agency that submits business, with its licenses.
import { defineEntity, p } from '@mikro-orm/core';
import type { Address } from '../../../domain/address.ts';
import type { License } from '../../../domain/distribution/license.ts';
import type { ProducerStatus, VerifiedIdentity } from '../../../domain/distribution/producer.ts';
import { code, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn, versionColumn } from '../../columns.ts';

const ProducerSchema = defineEntity({
  name: 'Producer',
  tableName: 'producers',
  properties: {
    id: idColumn('producer'),
    orgId: orgIdColumn(),
    /** The parent agency. */
    parentId: p.text().strictNullable(),
    name: p.text(),
    /** Former names and their last days; the database records them when the name changes. */
    formerNames: json<{ name: string; until: string }[]>().onCreate(() => []),
    email: p.text().strictNullable(),
    phone: p.text().strictNullable(),
    /** National Producer Number; unique in the organization, ignoring case. */
    npn: p.text().strictNullable(),
    /** Another producer already had the number before numbers were compared ignoring case. Decision 0186. */
    npnTwin: p.boolean().default(false),
    status: code<ProducerStatus>().default('pending'),
    licenses: json<License[]>().onCreate(() => []),
    address: json<Address>().strictNullable(),
    identity: json<VerifiedIdentity>().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Producer extends ProducerSchema.class {}
ProducerSchema.setClass(Producer);
