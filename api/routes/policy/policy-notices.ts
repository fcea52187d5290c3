// The notices due to a policy's insured, and the outcome of their e-mails. Spec 6.6.
import { z } from 'zod';
import type { SentMail } from '../../../db/entities/delivery/sent-mail.ts';
import { listSentMails } from '../../../db/queries/delivery/sent-mails.ts';
import { NOTICE_OUTCOMES } from '../../../domain/notice/notice-outcome.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  externalId,
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  pageToWire,
} from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { billedPolicy } from './policies.ts';

const when = (description: string) => instant.nullable().meta({ description });

const NoticeSchema = z
  .strictObject({
    id: idReference('sentMail'),
    policyId: idReference('policy'),
    messageId: externalId.meta({ description: 'The Message-ID of the e-mail, also of one that could not be sent.' }),
    kind: z.string().meta({ examples: ['past_due'] }),
    on: isoDate.meta({ description: 'The business date of the notice.' }),
    outcome: z.enum(NOTICE_OUTCOMES).meta({
      description:
        'The outcome. `no_address`: no e-mail address was on file. `undeliverable`: earlier e-mail to the address bounced or drew a complaint. In both cases nothing was sent: mail a paper copy.',
    }),
    sentAt: when('When its e-mail went out. Null if none did.'),
    deliveredAt: when('When the email provider delivered it. Null until the provider reports it.'),
    openedAt: when('When it was first opened.'),
    bouncedAt: when('When it bounced permanently.'),
    failedAt: when('When the email provider reported that it could not send it.'),
    complainedAt: when('When its recipient complained.'),
  })
  .meta({ id: 'PolicyNotice' });

const listNotices = route({
  method: 'get',
  path: '/policies/:id/notices',
  operationId: 'listPolicyNotices',
  tag: 'Policies',
  spec: '6.6',
  summary: 'List the notices owed to the insured, newest first',
  description:
    'Each notice shows its business date and whether it was sent, had no address, or could not be delivered. Use it to prove when the insured was notified.',
  access: allow('policy:read', billedPolicy),
  params: z.strictObject({ id: idParam('policy') }),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: pageSchema('PolicyNotice', NoticeSchema) },
  errors: [],
  handler: async ({ row, query, db }) => {
    const page = await db.read((em) => listSentMails(em, row.id, query));
    return pageToWire(page, noticeToWire);
  },
});

export const policyNoticeRoutes = [listNotices];

function noticeToWire({ id, policyId, messageId, kind, onDate: on, outcome, sentAt, ...reports }: Readonly<SentMail>) {
  const { deliveredAt, openedAt, bouncedAt, failedAt, complainedAt } = reports;
  return {
    ...{ id, policyId, messageId, kind, on, outcome },
    sentAt: sentAt && instantToWire(sentAt),
    deliveredAt: deliveredAt && instantToWire(deliveredAt),
    openedAt: openedAt && instantToWire(openedAt),
    bouncedAt: bouncedAt && instantToWire(bouncedAt),
    failedAt: failedAt && instantToWire(failedAt),
    complainedAt: complainedAt && instantToWire(complainedAt),
  };
}
