// Portfolio figures as returned.
import type { z } from 'zod';
import { fractionOf, type PortfolioFigures } from '../../../domain/insight/portfolio.ts';
import { toDollars } from '../../../domain/money.ts';
import type { PortfolioSchema } from './analytics.schemas.ts';

type FiguresWire = Omit<z.output<typeof PortfolioSchema>, 'orgId' | 'from' | 'to' | 'groupBy' | 'groups'>;

/** Maps figures to the wire, with their ratios. */
export function figuresToWire(figures: PortfolioFigures): FiguresWire {
  const { earnedCents, incurredCents, paidCents, quoteCount, bindingCount, policyCount } = figures;
  return {
    grossWrittenPremium: toDollars(figures.writtenCents),
    inForcePremium: toDollars(figures.inForceCents),
    earnedPremium: toDollars(earnedCents),
    unearnedPremium: toDollars(figures.unearnedCents),
    incurredLosses: toDollars(incurredCents),
    paidLosses: toDollars(paidCents),
    lossRatio: fractionOf(incurredCents, earnedCents),
    paidLossRatio: fractionOf(paidCents, earnedCents),
    ...{ bindingCount, quoteCount, hitRatio: fractionOf(figures.quotedAndBound, quoteCount), policyCount },
  };
}
