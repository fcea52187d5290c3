/** The workflow code as one script for the sandbox, which the workers of a process share. */
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  type Logger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
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

/** The bundle that a file holds; without a file, one made now. */
export async function workflowBundle(path: string | null, logger: Logger): Promise<WorkflowBundleOption> {
  return path === null ? bundleWorkflows(logger) : { codePath: path };
}
