// The address of an organization's calendar. URLs signed with its id work while the row exists.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feeds',
  properties: {
    id: idColumn('calendarFeed'),
    orgId: orgIdColumn(),
    createdBy: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);
