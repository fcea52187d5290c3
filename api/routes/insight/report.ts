// The portfolio as one printable page: one document for each day on which it is read. Decision 0124.
import { z } from 'zod';
import { timedId } from '../../../db/ids.ts';
import { findDocument } from '../../../db/queries/document/documents.ts';
import { REPORT_TEMPLATE, reportFacts } from '../../../plans/insight/report.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { organizationId } from '../../spine/schemas.ts';
import { fileReply } from '../document/file-reply.ts';
import { madeDocument, readersCommand } from '../document/made-documents.ts';

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
    'authority, as of its first call on a business day. It is stored with the documents of the organization.',
  access: allow('analytics:read'),
  params: z.strictObject({ orgId: organizationId }),
  response: { status: 200, body: z.string(), contentType: PDF, description: 'The file.' },
  errors: ['unreadable_document', 'service_unavailable'],
  handler: async ({ actor, org, requestId, db, deps, lifecycle }) => {
    const key = JSON.stringify([org.id, 'portfolio_report']);
    const id = timedId('document', new Date(`${org.today}T00:00:00Z`), key);
    const fileName = `portfolio-${org.today}.pdf`;
    const about = { entityType: 'organization', entityId: org.id } as const;
    const print = async () => {
      const data = await db.read((em) => reportFacts(em, org.today));
      const input = { html: REPORT_TEMPLATE, data, fileName };
      const audited = { ...about, action: 'analytics:print', changes: { document: id }, actor, requestId };
      const command = readersCommand({ actor, requestId, orgId: org.id }, id);
      const order = { ...about, id, kind: 'rendered', input, createdBy: actor.id } as const;
      return madeDocument(order, { db, lifecycle, command }, { audited });
    };
    // The second read on a day computes nothing.
    const document = (await db.read((em) => findDocument(em, id))) ?? (await print());
    return fileReply(document, `inline; filename="${fileName}"`, deps);
  },
});

export const reportRoutes = [report];
