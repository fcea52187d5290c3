// How an insured signs in: a code sent to the address on file, and a token in exchange for the code. Spec 4.2, 5.7,
// Contract 2.
import { SignJWT } from 'jose';
import { z } from 'zod';
import type { ApiConfig } from '../../../config.ts';
import { isUndeliverable } from '../../../db/queries/delivery/sent-mails.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { type NumberedPolicy, policyByNumber } from '../../../db/queries/policy/policy-numbers.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import { DomainError } from '../../../domain/errors.ts';
import { JWT_LIFETIME_SECONDS, ONE_TIME_CODE_LIFETIME_SECONDS } from '../../../domain/limits.ts';
import { tokenKey } from '../../../providers/signed-token.ts';
import { issueCode, normalizedNumber, redeemCode } from '../../credentials/one-time-codes.ts';
import { CredentialRejected } from '../../credentials/rejected.ts';
import { open } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { route } from '../../spine/route.ts';
import { businessText, idReference } from '../../spine/schemas.ts';

const facts = { mount: 'root', tag: 'Authentication', method: 'post', spec: '4.2' } as const;
const policyNumber = businessText.meta({ examples: ['GL-TX-2026-000123'] });

const CodeRequestSchema = z.strictObject({ policyNumber }).meta({ id: 'OneTimeCodeRequest' });
const CodeSentSchema = z
  .strictObject({ sent: z.literal(true), expiresInSeconds: z.int() })
  .meta({ id: 'OneTimeCodeSent' });
const CodeSchema = z
  .strictObject({
    policyNumber,
    otp: z
      .string()
      .regex(/^\d{6}$/, 'A code must have six digits.')
      .meta({ examples: ['042137'] }),
  })
  .meta({ id: 'OneTimeCode' });
const PolicyholderTokenSchema = z
  .strictObject({
    token: z.string(),
    role: z.literal('policyholder'),
    orgId: idReference('organization'),
    sub: z.string().meta({ description: 'The id of the policy.' }),
    policyNumber: z.string(),
    insuredName: z.string(),
  })
  .meta({ id: 'PolicyholderToken' });

const requestCode = route({
  ...facts,
  path: '/auth/policyholder-otp-request',
  operationId: 'requestOneTimeCode',
  summary: 'E-mail a one-time code to the address on file for a policy',
  description: `The response is the same for a policy number that does not exist. The code works for ${ONE_TIME_CODE_LIFETIME_SECONDS / 60} minutes; redeem it with \`POST /auth/policyholder-token\`.`,
  access: open('an insured has none yet; requests are limited for each client and number'),
  body: CodeRequestSchema,
  response: { status: 200, body: CodeSentSchema },
  errors: ['rate_limited', 'service_unavailable'],
  handler: async ({ body, clientAddress, deps }) => {
    const number = normalizedNumber(body.policyNumber);
    const code = await issueCode(deps.kv, { number, client: clientAddress }, deps.config.authSecret);
    // Everything that depends on whether such a policy exists happens after the response.
    deps.inBackground(
      'mailing a one-time code',
      afterAnswer(() => mailCode(number, code, deps)),
    );
    return { sent: true, expiresInSeconds: ONE_TIME_CODE_LIFETIME_SECONDS };
  },
});

const redeem = route({
  ...facts,
  path: '/auth/policyholder-token',
  operationId: 'redeemOneTimeCode',
  summary: 'Exchange a one-time code for a policyholder token',
  description:
    'Send the number of the policy and the six digits from the e-mail. The token opens the portal of the insured and nothing else.',
  access: open('the code is the credential; attempts are limited for each number and address'),
  body: CodeSchema,
  response: { status: 200, body: PolicyholderTokenSchema },
  errors: ['unauthenticated', 'rate_limited', 'service_unavailable'],
  handler: async ({ body, clientAddress, deps, requestId }) => {
    const number = normalizedNumber(body.policyNumber);
    const serverKeys = deps.config.acceptedSecrets.authSecret;
    const attempt = { number, code: body.otp, client: clientAddress, serverKeys };
    const isRight = await redeemCode(deps.kv, attempt).catch((error: unknown) => {
      countLimited(error, clientAddress, deps);
      throw error;
    });
    const policy = await deps.database.forOrg(PLATFORM_SCOPE, (em) => policyByNumber(em, number));
    await recordAttempt(deps, policy, isRight, requestId);
    if (!isRight || policy === null)
      throw new CredentialRejected({ kind: 'jwt', reason: 'wrong, used or expired code' });
    const { policyId: sub, orgId, insuredName } = policy;
    const token = await signPolicyholder(deps.config, policy, deps.now());
    return { token, role: 'policyholder', orgId, sub, policyNumber: policy.policyNumber, insuredName };
  },
});

export const authPolicyholderRoutes = [requestCode, redeem];

/** Starts once the response is on its way. */
function afterAnswer<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => work().then(resolve, reject));
  });
}

async function mailCode(number: string, code: string, { database, mail }: RuntimeDeps): Promise<void> {
  const policy = await database.forOrg(PLATFORM_SCOPE, (em) => policyByNumber(em, number));
  if (!policy?.insuredEmail) return;
  const address = policy.insuredEmail;
  if (await database.forOrg(policy.orgId, (em) => isUndeliverable(em, address))) return;
  const text = [
    `Your code for policy ${number} is ${code}.`,
    '',
    'You can use it once, within ten minutes. If you did not request this code, you can ignore this message.',
    '',
  ].join('\n');
  await mail.send({ to: policy.insuredEmail, subject: 'Your one-time code', text });
}

/** Records every attempt, in the policy's organization or, without a policy, in the installation. */
async function recordAttempt(
  { database }: RuntimeDeps,
  policy: NumberedPolicy | null,
  isRight: boolean,
  requestId: string,
): Promise<void> {
  await database.transaction(policy?.orgId ?? PLATFORM_SCOPE, async (em) => {
    const entityId = policy?.policyId ?? null;
    const actor = { kind: 'user', id: entityId ?? 'unknown', role: 'policyholder' };
    const action = isRight ? 'code:accepted' : 'code:refused';
    writeAudit(em, { actor, action, entityType: 'policy', entityId, requestId });
  });
}

/** Attempts refused by a limit are counted in memory: a row for each would let a guesser flood the audit log. */
function countLimited(error: unknown, client: string, { refusals }: Pick<RuntimeDeps, 'refusals'>): void {
  if (!(error instanceof DomainError) || error.code !== 'rate_limited') return;
  refusals.add({ orgId: null, client, reason: 'code: tried too often' });
}

function signPolicyholder(config: ApiConfig, policy: NumberedPolicy, nowMs: number): Promise<string> {
  const { policyId, orgId, insuredName, policyNumber: number } = policy;
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT({ org: orgId, role: 'policyholder', typ: 'insured', policyNumber: number, insuredName })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(policyId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + JWT_LIFETIME_SECONDS)
    .sign(tokenKey(config.policyholderJwtSecret));
}
