// A name that must not be insured without review. Reference data, the same for every organization.
import { defineEntity, p } from '@mikro-orm/core';

const SanctionsEntrySchema = defineEntity({
  name: 'SanctionsEntry',
  tableName: 'sanctions_entries',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    program: p.text(),
  },
});

export class SanctionsEntry extends SanctionsEntrySchema.class {}
SanctionsEntrySchema.setClass(SanctionsEntry);
