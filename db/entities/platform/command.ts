// The stored result of a command, so that running it again returns the same result.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, json, orgIdColumn } from '../../columns.ts';

const CommandSchema = defineEntity({
  name: 'Command',
  tableName: 'commands',
  properties: {
    orgId: orgIdColumn().primary(),
    /** The caller's id for the command. */
    id: p.text().primary(),
    kind: p.text(),
    result: json<unknown>(),
    createdAt: createdAtColumn(),
  },
});

export class Command extends CommandSchema.class {}
CommandSchema.setClass(Command);
