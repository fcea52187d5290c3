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

/** Bundles `workflows/index.ts` with all workflows' converters and interceptors, which takes a second or two. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS],
    payloadConverterPath: CONVERTERS,
    failureConverterPath: CONVERTERS,
    logger,
  });
}

/** The bundle from a file; without a file, built now. */
export async function workflowBundle(path: string | null, logger: Logger): Promise<WorkflowBundleOption> {
  return path === null ? bundleWorkflows(logger) : { codePath: path };
}
