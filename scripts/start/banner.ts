// What is shown once everything runs: addresses, and three calls that produce a bound policy.

const CALL = `curl -sw '\\n' -H "X-API-Key: $KEY"`;
const JSON_BODY = "-H 'Content-Type: application/json'";

export interface BannerInput {
  apiUrl: string;
  authUrl: string;
  /** Null if the Temporal server is not ours. */
  temporalUiUrl: string | null;
  /** Null if the card processor is not ours. */
  cardProcessorUrl: string | null;
  logFolder: string;
  /** Null without a demo organization: then there is nothing to try out. */
  demoApiKey: string | null;
  /** The example's effective date, YYYY-MM-DD. */
  effectiveDate: string;
  secondsToStart: string;
}

/** The text shown when the platform is ready. The commands can be pasted as is, together or one by one. */
export function banner(input: BannerInput): string {
  const lines = [
    '',
    `Bindery is ready after ${input.secondsToStart} s.`,
    '',
    `  API             ${input.apiUrl}/v1`,
    `  API reference   ${input.apiUrl}/docs`,
    `  Authentication  ${input.authUrl}`,
    ...(input.temporalUiUrl ? [`  Workflows       ${input.temporalUiUrl}`] : []),
    ...(input.cardProcessorUrl ? [`  Card processor  ${input.cardProcessorUrl} (local, test cards)`] : []),
    `  Logs            ${input.logFolder}`,
    '',
    ...(input.demoApiKey ? tour(input, input.demoApiKey) : []),
    'Stop with Ctrl-C.',
    '',
  ];
  return lines.join('\n');
}

function tour({ apiUrl, effectiveDate }: BannerInput, apiKey: string): string[] {
  const submission = {
    insuredName: 'Lone Star Diner LLC',
    naicsCode: '722511',
    annualRevenue: 1_000_000,
    requestedLimit: 1_000_000,
    effectiveDate,
    state: 'TX',
    lineOfBusiness: 'GL',
    lossesLast5Years: 1,
  };
  return [
    'Submit, quote and bind a restaurant in Texas (paste into another terminal):',
    '',
    `export API=${apiUrl}/v1 KEY=${apiKey}`,
    `ANSWER=$(${CALL} ${JSON_BODY} "$API/submissions" -d '${JSON.stringify(submission)}'); echo "$ANSWER"`,
    'SUBMISSION=$(echo "$ANSWER" | grep -o \'sub_[0-9a-z]*\' | head -n 1)',
    `${CALL} -X POST "$API/submissions/$SUBMISSION/quote"`,
    `${CALL} ${JSON_BODY} "$API/submissions/$SUBMISSION/bind" -d '{"installmentPlan":"MONTHLY_10"}'`,
    '',
    'Or let "npm run demo" do that and show the outcome.',
    '',
  ];
}
