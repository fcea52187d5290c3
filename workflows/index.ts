/** Every workflow type that a worker knows. */
export { policyWorkflow } from './policy.ts';
export { submissionWorkflow } from './submission.ts';
export { testClockWorkflow } from './test-clock.ts';
