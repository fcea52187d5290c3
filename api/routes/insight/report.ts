// The portfolio as one page to print. While the figures stay as they are, it is the same document.
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { timedId } from '../../../db/ids.ts';
import { REPORT_TEMPLATE, reportFacts } from '../../../plans/insight/report.ts';
import { allow } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { organizationId } from '../../spine/schemas.ts';
import { madeDocument, readersCommand } from '../document/made-documents.ts';
import { present } from '../rows.ts';

const PDF = 'application/pdf';

const report = route({
  method: 'get',
  path: '/analytics/:orgId/report',
  operationId: 'printPortfolioReport',
  tag: 'Analytics',
  spec: '4.13, Contract 3.7',
  summary: 'Print the portfolio on one page',
  description:
    'A PDF with premium and loss ratio of the last twelve months, receivables by age and the use of delegated ' +
    'authority. The same figures give the same file. It is kept among the documents of the organization.',
  access: allow('analytics:read'),
  params: z.strictObject({ orgId: organizationId }),
  response: { status: 200, body: z.string(), contentType: PDF, description: 'The file.' },
  errors: ['unreadable_document', 'service_unavailable'],
  handler: async ({ actor, org, requestId, db, deps, lifecycle }) => {
    const data = await db.read((em) => reportFacts(em, org.today));
    const fileName = `portfolio-${org.today}.pdf`;
    const input = { html: REPORT_TEMPLATE, data, fileName };
    const id = timedId('document', new Date(`${org.today}T00:00:00Z`), JSON.stringify([org.id, input]));
    const order = {
      id,
      kind: 'rendered',
      entityType: 'organization',
      entityId: org.id,
      input,
      createdBy: actor.id,
    } as const;
    const command = readersCommand({ actor, requestId, orgId: org.id }, id);
    const about = {
      action: 'analytics:print',
      entityType: 'organization',
      entityId: org.id,
      changes: { document: id },
    };
    const document = await madeDocument(order, { db, lifecycle, command }, { audited: { ...about, actor, requestId } });
    const bytes = await buffer(present(await deps.storage.getStream(document.storageKey)));
    return reply({ body: bytes, headers: { 'Content-Disposition': `inline; filename="${fileName}"` } });
  },
});

export const reportRoutes = [report];
