/** The workflow code as one script for the sandbox. Made once at startup and shared by the workers of the process. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { CONVERTERS } from '../providers/temporal.ts';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const INTERCEPTORS = fileURLToPath(new URL('../workflows/machinery/interceptors.ts', import.meta.url));

/** Bundles `workflows/index.ts` with the converters and interceptors of all workflows, which takes a second or two. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS],
    payloadConverterPath: CONVERTERS,
    failureConverterPath: CONVERTERS,
    logger,
  });
}
