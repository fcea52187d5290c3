// The thread in which templates are filled, one after the other.
import { refusedAsUnreadable } from '../reading/unreadable.ts';
import { serveTasks } from '../threads/serve.ts';
import { checkedForm, filled } from './forms.ts';
import { namesIn, pageOf } from './liquid.ts';
import type { TypesettingTask } from './tasks.ts';

serveTasks((task: TypesettingTask) => refusedAsUnreadable(() => done(task)));

async function done(task: TypesettingTask): Promise<unknown> {
  if (task.kind === 'page') return pageOf(task.template, task.facts, task.field);
  if (task.kind === 'names') return namesIn(task.template, task.field);
  if (task.kind === 'check_form') return checkedForm(task.form, task.fields);
  return filled(task.form, task.fields, task.facts);
}
