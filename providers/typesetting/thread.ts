// The thread in which templates are filled, one after the other.
import { refusedAsUnreadable } from '../reading/unreadable.ts';
import { serveTasks } from '../threads/serve.ts';
import { filled, tryForm } from './forms.ts';
import { pageOf, tryTemplate } from './liquid.ts';
import type { TypesettingTask } from './tasks.ts';

serveTasks((task: TypesettingTask) => refusedAsUnreadable(() => done(task)));

async function done(task: TypesettingTask): Promise<unknown> {
  if (task.kind === 'page') return pageOf(task.template, task.facts, task.field);
  if (task.kind === 'try_page') return tryTemplate(task.template, task.facts, task.field);
  if (task.kind === 'try_form') return tryForm(task.form, task.fields, task.facts);
  return filled(task.form, task.fields, task.facts);
}
