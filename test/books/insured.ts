// One insured and everything that they have: the terms of their policy, invoices, payments. Reads it fresh before each
// deed, so that the deed suits what is there.
import { addDays, type BusinessDate, daysBetween } from '../../domain/dates.ts';
import type { Dice } from '../chaos/dice.ts';
import type { Rows } from '../faults/bind.ts';
import type { TestProviders } from '../support/servers/providers.ts';
import type { Desk } from './desk.ts';

export interface PaymentSeen {
  id: string;
  kind: string;
  method: string;
  amount: number;
  status: string;
  reference: string;
}

export interface InvoiceSeen {
  id: string;
  policyId: string;
  dueDate: BusinessDate;
  invoiceNumber: string;
  status: string;
  balance: number;
  total: number;
  paidAmount: number;
  refundedAmount: number;
  lastPaymentError: object | null;
  payments: PaymentSeen[];
}

export interface PolicySeen {
  id: string;
  status: string;
  statuses: string[];
  state: string;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  annualRevenue: number;
  renewalPolicyId: string | null;
  cancellation: { effectiveDate: BusinessDate } | null;
}

const TERMS = `select id from policies where (org_id, insured_name) =
  (select org_id, insured_name from policies where id = $1) order by id`;

export class Insured {
  readonly name: string;
  readonly dice: Dice;
  readonly desk: Desk;
  readonly processor: TestProviders['processor'];
  readonly rows: Pick<Rows, 'query'>;
  /** Disputes that the bank has not decided. */
  readonly disputes = new Set<string>();
  /** Whether money paid stays paid and every refund goes through: then the parts always equal what was written. */
  readonly isUndisturbed: boolean;
  /** Whether money is refunded without a change of the policy: then the parts need not equal what was written. */
  readonly isRefundedByHand: boolean;
  /** Whether bills are paid before they are due and renewals bound in time. */
  readonly isPrompt: boolean;
  today: BusinessDate;
  #policyId = '';
  #numbered = 0;

  constructor(
    name: string,
    given: Pick<Insured, 'dice' | 'desk' | 'processor' | 'rows' | 'isUndisturbed'> & { today: BusinessDate },
  ) {
    this.name = name;
    this.dice = given.dice;
    this.desk = given.desk;
    this.processor = given.processor;
    this.rows = given.rows;
    this.today = given.today;
    this.isUndisturbed = given.isUndisturbed;
    this.isRefundedByHand = this.dice.percent(50) && !this.isUndisturbed;
    this.isPrompt = this.dice.percent(65);
  }

  /** The first term. */
  get policyId(): string {
    return this.#policyId;
  }

  bound(policyId: string): void {
    this.#policyId = policyId;
  }

  /** The terms of the policy, latest last. */
  async policies(): Promise<PolicySeen[]> {
    const terms: PolicySeen[] = [];
    for (let id: string | null = this.#policyId; id !== null; ) {
      const policy: PolicySeen = await this.desk.read(`/policies/${id}`);
      terms.push(policy);
      id = policy.renewalPolicyId;
    }
    return terms;
  }

  /** The ids of all terms, from the rows: for looks that need nothing else. */
  async termIds(): Promise<string[]> {
    const found = await this.rows.query<{ id: string }>(TERMS, [this.#policyId]);
    return found.map(({ id }) => id);
  }

  /** The term that a deed is about: usually the last one that has begun. */
  async policy(): Promise<PolicySeen> {
    const terms = await this.policies();
    const begun = terms.filter(({ effectiveDate }) => effectiveDate <= this.today);
    const usual = begun.at(-1) ?? terms[0];
    return (this.dice.percent(80) ? usual : this.dice.pick(terms)) as PolicySeen;
  }

  /** Invoices of all terms, in order of creation. */
  async invoices(): Promise<InvoiceSeen[]> {
    const found: InvoiceSeen[] = [];
    for (const { id } of await this.policies()) {
      const { data } = await this.desk.read(`/invoices?limit=100&policyId=${id}`);
      found.push(...data.toReversed());
    }
    return found;
  }

  async payments(): Promise<PaymentSeen[]> {
    return (await this.invoices()).flatMap(({ payments }) => payments);
  }

  /** A random day of a term; never the last. */
  drawDay({ effectiveDate, expirationDate }: PolicySeen): BusinessDate {
    return addDays(effectiveDate, this.dice.below(daysBetween(effectiveDate, expirationDate)));
  }

  /** A part of a dollar amount, at least a cent. */
  partOf(dollars: number): number {
    const cents = Math.round(dollars * 100);
    return Math.max(1, Math.floor((cents * (1 + this.dice.below(99))) / 100)) / 100;
  }

  nextReference(what: string): string {
    this.#numbered += 1;
    return `${what} ${this.#numbered} of ${this.name}`;
  }
}
