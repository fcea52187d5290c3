// One body for each operation that takes one, as valid as its schema can check. The tests that walk the whole route
// table spoil these bodies, and fail for an operation that is missing here.

import { addDays } from '../../domain/dates.ts';
import { testToday } from './fixed/today.ts';
import { EFFECTIVE_DATE, risk } from './house.ts';

const ADDRESS = { line1: '1 Congress Ave', line2: 'Suite 2', city: 'Austin', state: 'TX', postalCode: '78701' };

const TODAY = testToday();

const RATES = {
  base: {
    unit: 'per_thousand_revenue',
    classRates: [{ naicsPrefix: '7225', rate: '4.20', appetite: 'standard' }],
    defaultRate: '2.50',
  },
  stateFactors: { TX: '0.95' },
  defaultStateFactor: '1.00',
  limitFactors: [{ limit: 1_000_000, factor: '1.00' }],
  deductibleFactors: [{ deductible: 0, factor: '1.00' }],
  lossFactors: { unknown: '1.00', '0': '0.95', '1': '1.00', '2': '1.15', '3+': '1.35' },
  minimumPremium: 500,
  policyFee: 195,
};

const CONTRACT = {
  carrier: 'Pioneer Mutual',
  year: 2031,
  status: 'active',
  maxPolicyLimit: 1_000_000,
  maxPremium: 50_000,
  maxAnnualRevenue: 5_000_000,
  maxAnnualPremiumVolume: 1_500_000,
  linesOfBusiness: ['GL'],
  states: ['TX'],
  prohibitedNaics: ['1133'],
  referNaics: ['7224'],
};

const base64 = (text: string) => Buffer.from(text).toString('base64');
const PAYLOADS = { payloads: [{ metadata: { encoding: base64('json/plain') }, data: base64('{}') }] };

const WHOLE_RISK = () => ({
  ...risk(),
  insuredEmail: 'office@example.com',
  insuredPhone: '+1 512 555 0100',
  insuredAddress: ADDRESS,
  deductible: 1000,
  yearsInBusiness: 7,
  usdotNumber: '1234567',
  description: 'Diner.',
});

const TERM_CHANGES = () => ({
  requestedLimit: 500_000,
  annualRevenue: 900_000,
  deductible: 2_500,
  insuredName: 'Blue Door Diner and Bar',
  insuredAddress: ADDRESS,
  additionalInsureds: [{ name: 'Landlord LLC' }],
});

const PRODUCER = () => ({
  name: 'Gulf Coast Brokers',
  email: 'desk@gulfcoast.example',
  phone: '+1 713 555 0103',
  licenses: [{ state: 'TX', number: 'TX-77', lines: ['GL'], status: 'active', expirationDate: '2090-01-01' }],
  address: { line1: '1 Main Street', line2: 'Suite 9', city: 'Houston', state: 'TX', postalCode: '77002' },
});

/** Operation → a valid body. */
export const VALID_BODIES: Readonly<Record<string, () => Record<string, unknown>>> = {
  createSubmission: WHOLE_RISK,
  correctSubmission: WHOLE_RISK,
  declineSubmission: () => ({ reason: 'Outside of our appetite.' }),
  withdrawSubmission: () => ({ reason: 'Insured elsewhere.' }),
  createBordereau: () => ({ carrier: 'Default Carrier', month: '2026-01', kind: 'premium' }),
  createReferral: () => ({ submissionId: 'sub_01jz8k3v5ne0rbx4q2mw7t6yha', reason: 'Above my authority.' }),
  screenName: () => ({ name: 'Sanctioned Test Company' }),
  clearName: () => ({ name: 'Sanctioned Test Company', entryIds: ['SAMPLE-0006'], reason: 'Somebody else.' }),
  createDelegation: () => ({ toUserId: 'usr_01jz8k3v5ne0rbx4q2mw7t6yha', from: TODAY, to: addDays(TODAY, 7) }),
  decideReferral: () => ({ decision: 'approve', notes: 'A good risk.', conditions: ['Sprinklers within 90 days.'] }),
  answerReferral: () => ({ answer: 'The sprinklers were installed in May.' }),
  bindSubmission: () => ({ installmentPlan: 'MONTHLY_10' }),
  changePolicyContact: () => ({ insuredEmail: 'office@example.com', insuredPhone: '+1 512 555 0100' }),
  endorsePolicy: () => ({ effectiveDate: EFFECTIVE_DATE, changes: TERM_CHANGES(), reason: 'A second kitchen.' }),
  voidEndorsement: () => ({ reason: 'It was meant for another policy.' }),
  cancelPolicy: () => ({
    effectiveDate: EFFECTIVE_DATE,
    reason: 'insured_request',
    source: 'insured',
    method: 'short_rate',
  }),
  reinstatePolicy: () => ({ effectiveDate: EFFECTIVE_DATE, reason: 'Paid after all.' }),
  renewPolicy: () => ({ effectiveDate: EFFECTIVE_DATE, changes: TERM_CHANGES() }),
  createClaim: () => ({
    policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
    lossDate: testToday(),
    description: 'A guest fell on the wet floor of the bar.',
    cause: 'Slip and fall',
    reportedBy: 'The manager',
    lossLocation: 'Austin',
    claimant: { name: 'Ada Guest', email: 'ada@example.com', phone: '+1 512 555 0111', address: ADDRESS },
    estimatedAmount: 5_000,
    containsPhi: false,
  }),
  ingestDocument: () => ({ fileName: 'notes.txt', contentType: 'text/plain', contentBase64: base64('Office notes.') }),
  investigateClaim: () => ({ adjusterId: 'usr_of_claims', notes: 'The floor was seen.' }),
  assignClaim: () => ({ adjusterId: 'usr_of_claims' }),
  reserveClaim: () => ({ indemnity: 5_000, expense: 500, reason: 'First estimate.' }),
  settleClaim: () => ({ amount: 4_000, payee: 'Ada Guest', notes: 'In full.', approve: false }),
  payClaim: () => ({ kind: 'expense', amount: 100, payee: 'Expert Office', reference: 'Bill 7' }),
  voidClaimPayment: () => ({ reason: 'Lost in the mail.' }),
  clearPayeeHold: () => ({ reason: 'Another date of birth.' }),
  recoverClaim: () => ({ kind: 'salvage', amount: 100, reference: 'Auction 7' }),
  attachToClaim: () => ({
    ...{ fileName: 'floor.txt', contentType: 'text/plain', contentBase64: base64('The floor was wet.') },
    ...{ kind: 'photo', description: 'Of the bar.', containsPhi: false },
  }),
  generateCertificate: () => ({
    ...{ policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha', description: 'Restaurant.' },
    holder: {
      name: 'Harbor Landlord LLC',
      address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
    },
    ...{ additionalInsured: false, waiverOfSubrogation: false },
  }),
  issueMcs90: () => ({ cargo: 'oil' }),
  renderPdf: () => ({ html: '<p>{{ name }}</p>', data: { name: 'Ada' }, fileName: 'letter.pdf' }),
  putDocumentTemplate: () => ({ html: '<p>{{ policy.number }}</p>' }),
  depositLossFund: () => ({ carrier: 'Default Carrier', amount: 10_000, reference: 'Wire 7' }),
  createProducer: () => ({ ...PRODUCER(), npn: '20000001' }),
  changeProducer: () => ({ ...PRODUCER(), status: 'terminated' }),
  putProducerCommissionTerm: () => ({ lineOfBusiness: 'GL', agentRate: '0.14', effectiveFrom: '2090-01-01' }),
  importProducers: () => ({
    ...{ fileName: 'producers.csv', contentType: 'text/csv' },
    contentBase64: base64('npn,name\n20000002,Bay Agency\n'),
  }),
  createAppointment: () => ({
    ...{ state: 'FL', lineOfBusiness: 'CP', carrier: 'Default Carrier', status: 'pending', surplusLines: false },
    ...{ effectiveDate: '2026-01-01', expirationDate: '2090-01-01' },
  }),
  changeAppointment: () => ({
    ...{ status: 'terminated', effectiveDate: '2026-01-01', expirationDate: '2090-01-01', forCause: true },
  }),
  checkPermission: () => ({ action: 'policy:read', resource: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha' }),
  rejectSettlement: () => ({ reason: 'Too much.' }),
  denyClaim: () => ({ reason: 'The loss is excluded.', policyProvision: 'Exclusion j' }),
  closeClaim: () => ({ outcome: 'no_payment', notes: 'Nothing more was heard.' }),
  recordStatusLetter: () => ({ notes: 'The report of the engineer is awaited.' }),
  reopenClaim: () => ({ reason: 'A doctor has written.' }),
  runRenewalBatch: () => ({ expiringWithinDays: 30, dryRun: false }),
  createDealRoom: () => ({
    submissionId: 'sub_01jz8k3v5ne0rbx4q2mw7t6yha',
    name: 'Blue Door Diner',
    participants: [{ userId: 'usr_of_underwriting', role: 'member' }],
  }),
  addDealRoomParticipant: () => ({ userId: 'usr_of_a_producer', role: 'member' }),
  changeDealRoomParticipant: () => ({ role: 'observer' }),
  postDealRoomMessage: () => ({ body: 'Can we take the second kitchen?', visibility: 'all' }),
  markDealRoomRead: () => ({ messageId: 'msg_01jz8k3v5ne0rbx4q2mw7t6yha' }),
  putFlag: () => ({ value: true }),
  auditPolicy: () => ({ actualRevenue: 1_200_000, reason: 'Books of the year.' }),
  changePaymentPlan: () => ({ installmentPlan: 'MONTHLY_12' }),
  nonRenewPolicy: () => ({ reason: 'The line is given up.' }),
  makeJournal: () => ({
    ledger: 'general',
    description: 'Fees of the card processor in May.',
    lines: [
      { account: 5010, debit: 12.5 },
      { account: 1030, credit: 12.5 },
    ],
  }),
  rejectJournal: () => ({ reason: 'The wrong month.' }),
  preparePayout: () => ({ producerId: 'prd_01jz8k3v5ne0rbx4q2mw7t6yha', through: TODAY }),
  approvePayout: () => ({ reference: 'WIRE 7' }),
  rejectPayout: () => ({ reason: 'The agency disputes it.' }),
  prepareRemittance: () => ({
    kind: 'tax',
    state: 'TX',
    through: TODAY,
    filingId: 'fil_01jz8k3v5ne0rbx4q2mw7t6yha',
  }),
  approveRemittance: () => ({ reference: 'WIRE 8' }),
  rejectRemittance: () => ({ reason: 'The bordereau is wrong.' }),
  uploadBankStatement: () => ({
    ...{ fileName: 'trust.csv', contentType: 'text/csv' },
    contentBase64: base64('date,amount,reference\n2026-03-02,12.34,Check 4711\n'),
  }),
  matchBankLine: () => ({ movementIds: ['lln_01jz8k3v5ne0rbx4q2mw7t6yha'] }),
  prepareTransfer: () => ({ through: TODAY }),
  approveTransfer: () => ({ reference: 'WIRE 9' }),
  rejectTransfer: () => ({ reason: 'The month is still open.' }),
  placeBillingHold: () => ({ state: 'LA', from: '2030-09-01', to: '2030-09-30' }),
  applyUnappliedCash: () => ({ invoiceId: 'inv_01jz8k3v5ne0rbx4q2mw7t6yha', amount: 1 }),
  returnUnappliedCash: () => ({ amount: 1, reason: 'Paid twice.' }),
  createPaymentIntent: () => ({ amount: 100 }),
  payInvoice: () => ({ amount: 100, method: 'check', reference: 'Check 4711', receivedDate: '2026-03-01' }),
  writeOffInvoice: () => ({ reason: 'The insured went out of business.' }),
  reopenLedgerPeriod: () => ({ reason: 'An entry of the bank came late.' }),
  voidInvoice: () => ({ reason: 'Billed twice.', reissue: false }),
  refundInvoice: () => ({ amount: 100, reason: 'Paid twice.' }),
  reversePayment: () => ({ reason: 'nsf', fee: 25 }),
  rejectRefund: () => ({ reason: 'The wrong invoice.' }),
  issueDisbursement: () => ({ checkNumber: '1042', issuedOn: '2026-03-01' }),
  stopDisbursement: () => ({ reason: 'Lost in the mail.' }),
  cancelDisbursement: () => ({ reason: 'The check bounced.' }),
  createDaContract: () => CONTRACT,
  changeDaContract: () => CONTRACT,
  putRateTable: () => ({ effectiveFrom: EFFECTIVE_DATE, table: RATES }),
  putCommissionSchedule: () => ({
    lineOfBusiness: 'GL',
    effectiveFrom: EFFECTIVE_DATE,
    schedule: {
      tiers: [
        { tier: 1, max: 250_000, agentRate: '0.12' },
        { tier: 2, max: null, agentRate: '0.15' },
      ],
      mgaRate: '0.10',
    },
  }),
  markFiled: () => ({ status: 'filed', reference: 'SL-2026-1' }),
  advanceTestClock: () => ({ advanceTo: addDays(testToday(), 1) }),
  createEnvelope: () => ({
    documentId: 'doc_01h2xcejqtf2nbrexx3vqjhp41',
    signers: [{ name: 'Ann Signer', email: 'ann@signer.test' }],
  }),
  voidEnvelope: () => ({ reason: 'Wrong document.' }),
  createWebhook: () => ({
    url: 'http://127.0.0.1:65001/hooks',
    events: ['policy.bound', 'claim.opened'],
    description: 'Our warehouse.',
  }),
  changeWebhook: () => ({ url: 'http://127.0.0.1:65001/others', events: ['*'], description: 'Theirs.' }),
  createApiKey: () => ({ name: 'Nightly export', scopes: ['policies:read'], expiresAt: '2190-01-01T00:00:00Z' }),
  createOrganization: () => ({ name: 'Harbor MGA', tier: 'standard' }),
  changeOrganization: () => ({
    ...{ name: 'Harbor MGA', tier: 'enterprise', emailDomains: ['example.com'] },
    paymentInstructions: ['Harbor MGA Premium Trust', '12 Harbor Street, Austin, TX 78701'],
  }),
  decodePayloads: () => PAYLOADS,
  encodePayloads: () => PAYLOADS,
  inviteUser: () => ({ email: 'new.user@example.com', role: 'auditor', name: 'New User' }),
  changeUser: () => ({ role: 'auditor', active: true }),
  setUserAuthority: () => ({
    ...{ maxLimit: 100_000, maxPremium: 5_000, linesOfBusiness: ['GL'] },
    ...{ maxReserve: 10_000, maxSettlement: 5_000 },
  }),
  createPortalPaymentIntent: () => ({ amount: 100 }),
  filePortalClaim: () => ({
    policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
    lossDate: testToday(),
    description: 'A guest fell on the wet floor of the bar.',
    cause: 'Slip and fall',
    lossLocation: 'Austin',
    claimant: { name: 'Ada Guest', email: 'ada@example.com', phone: '+1 512 555 0111' },
    estimatedAmount: 5_000,
    containsPhi: false,
  }),
  changePortalProfile: () => ({
    phone: '+1 512 555 0100',
    address: ADDRESS,
  }),
  changePushPreferences: () => ({ documentReady: false }),
  setUpPortalAutopay: () => ({ termsVersion: '2026-11' }),
  setUpPolicyAutopay: () => ({ termsVersion: '2026-11' }),
  registerPushToken: () => ({ token: 'device-of-the-insured', platform: 'ios' }),
  requestOneTimeCode: () => ({ policyNumber: 'GL-TX-2026-000123' }),
  redeemOneTimeCode: () => ({ policyNumber: 'GL-TX-2026-000123', otp: '042137' }),
  issueDemoToken: () => ({ secret: 'not the secret' }),
};
