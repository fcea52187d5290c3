// What a day or month adds to the figures of the whole portfolio, a line, a state or a producer. Decision 0140.
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, cents, code, instant, json, orgIdColumn } from '../../columns.ts';

const counted = cents;

const PortfolioFactSchema = defineEntity({
  name: 'PortfolioFact',
  tableName: 'portfolio_facts',
  properties: {
    orgId: orgIdColumn().primary(),
    dimension: code<'none' | 'line' | 'state' | 'producer'>().primary(),
    unit: code<'day' | 'month'>().primary(),
    startsOn: businessDate().primary(),
    key: p.text().strictNullable(),
    writtenCents: cents(),
    earnedCents: cents(),
    unearnedCents: cents(),
    inForceCents: cents(),
    policyCount: counted(),
    bindingCount: counted(),
    /** Terms that matter to periods up to this day: those that end or last changed on it. */
    termCount: counted(),
    incurredCents: cents(),
    paidCents: cents(),
    entryCount: counted(),
    quoteCount: counted(),
    quotedAndBoundCount: counted(),
  },
});

export class PortfolioFact extends PortfolioFactSchema.class {}
PortfolioFactSchema.setClass(PortfolioFact);

/** Marks that an organization's sums have been built. Without it, figures are read from the rows. */
const PortfolioMarkSchema = defineEntity({
  name: 'PortfolioMark',
  tableName: 'portfolio_marks',
  properties: { orgId: orgIdColumn().primary(), builtAt: instant() },
});

export class PortfolioMark extends PortfolioMarkSchema.class {}
PortfolioMarkSchema.setClass(PortfolioMark);

/** How a later day changes the quotes counted on an earlier one: by the next quote, or the bind. */
const QuoteLagSchema = defineEntity({
  name: 'QuoteLag',
  tableName: 'quote_lags',
  properties: {
    orgId: orgIdColumn().primary(),
    dimension: code<'none' | 'line' | 'state' | 'producer'>().primary(),
    eventOn: businessDate().primary(),
    originOn: businessDate().primary(),
    key: p.text().strictNullable(),
    quoteCount: counted(),
    quotedAndBoundCount: counted(),
  },
});

export class QuoteLag extends QuoteLagSchema.class {}
QuoteLagSchema.setClass(QuoteLag);

/** A row not yet in the sums; or, with `was`, where its entity was counted before it moved. */
const PortfolioChangeSchema = defineEntity({
  name: 'PortfolioChange',
  tableName: 'portfolio_changes',
  properties: {
    orgId: orgIdColumn().primary(),
    id: cents().primary(),
    entityId: p.text(),
    rowId: p.text().strictNullable(),
    was: json<object>().strictNullable(),
    createdAt: instant(),
  },
});

export class PortfolioChange extends PortfolioChangeSchema.class {}
PortfolioChangeSchema.setClass(PortfolioChange);
