// The wire shape of autopay, and its mapping from the rows. Decision 0165.
import { z } from 'zod';
import type { Autopay } from '../../../../db/entities/billing/autopay.ts';
import type { AutopaySetup } from '../../../../db/entities/billing/autopay-setup.ts';
import {
  AUTOPAY_STATUSES,
  AUTOPAY_TERMS,
  RETRY_AFTER_DAYS,
  SUSPENSION_REASONS,
} from '../../../../domain/billing/autopay.ts';
import { actorId, externalId, idReference, instant } from '../../../spine/schemas.ts';
import { instantToWire } from '../charges.wire.ts';

export const AutopaySchema = z
  .strictObject({
    insuredId: idReference('insured'),
    orgId: idReference('organization'),
    status: z.enum(AUTOPAY_STATUSES).meta({
      description:
        '`pending`: the insured has not entered a card yet. `suspended`: a bill could not be charged, and the insured must pay it and enter a card again.',
    }),
    suspendedReason: z.enum(SUSPENSION_REASONS).nullable(),
    card: z
      .strictObject({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() })
      .nullable()
      .meta({ description: 'The card that is charged. Only the processor has its number.' }),
    consent: z.strictObject({ termsVersion: z.string(), agreedAt: instant, agreedBy: actorId }).nullable().meta({
      description:
        'The terms that the insured agreed to, and when. `agreedBy` is their policy, or the user who recorded the agreement.',
    }),
    terms: z
      .strictObject({ version: z.string(), text: z.string() })
      .meta({ description: 'The terms in force, to show before the insured enters a card.' }),
    retryAfterDays: z
      .array(z.int())
      .meta({ description: 'Days after the first charge on which a failed charge is retried.' }),
    updatedAt: instant.nullable(),
  })
  .meta({ id: 'Autopay' });

export type AutopayWire = z.output<typeof AutopaySchema>;

export const AutopaySetupInputSchema = z
  .strictObject({
    termsVersion: z.enum([AUTOPAY_TERMS.version]).meta({
      description: 'The version of the terms in force, which the insured has agreed to.',
    }),
  })
  .meta({ id: 'AutopaySetupInput' });

export const AutopaySetupSchema = z
  .strictObject({
    id: idReference('autopaySetup'),
    insuredId: idReference('insured'),
    setupIntentId: externalId,
    clientSecret: z
      .string()
      .meta({ description: 'The secret that the browser needs to send the card to the processor.' }),
    status: z.string(),
  })
  .meta({ id: 'AutopaySetup' });

export type AutopaySetupWire = z.output<typeof AutopaySetupSchema>;

interface AutopayRows {
  insuredId: string;
  orgId: string;
  autopay: Autopay | null;
  /** The setup whose card is charged. */
  setup: AutopaySetup | null;
}

/** Shows an insured's autopay. */
export function autopayToWire({ insuredId, orgId, autopay, setup }: AutopayRows): AutopayWire {
  const isOn = autopay !== null && (autopay.status === 'active' || autopay.status === 'suspended');
  return {
    ...{ insuredId, orgId, status: autopay?.status ?? 'off', suspendedReason: autopay?.suspendedReason ?? null },
    card: autopay?.card ?? null,
    consent: isOn && setup !== null ? consentOf(setup) : null,
    ...{ terms: { ...AUTOPAY_TERMS }, retryAfterDays: [...RETRY_AFTER_DAYS] },
    updatedAt: autopay && instantToWire(autopay.updatedAt),
  };
}

function consentOf({ termsVersion, agreedAt, agreedBy }: AutopaySetup): NonNullable<AutopayWire['consent']> {
  return { termsVersion, agreedAt: instantToWire(agreedAt), agreedBy };
}
