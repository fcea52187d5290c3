// The stored result of a command, so that running it again gives the same answer.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, json, orgIdColumn } from '../../columns.ts';

const CommandSchema = defineEntity({
  name: 'Command',
  tableName: 'commands',
  properties: {
    orgId: orgIdColumn().primary(),
    /** The id that the caller gave the command. */
    id: p.text().primary(),
    kind: p.text(),
    result: json<unknown>(),
    createdAt: createdAtColumn(),
  },
});

export class Command extends CommandSchema.class {}
CommandSchema.setClass(Command);
