// The thread that fills templates, one at a time. It loads libraries when a task needs them: the forms library takes
// longer to load than a page takes to fill, and few threads ever fill a form.
import { refusedAsUnreadable } from '../reading/unreadable.ts';
import { serveTasks } from '../threads/serve.ts';
import type { TypesettingTask } from './tasks.ts';

const pages = () => import('./liquid.ts');
const forms = () => import('./forms.ts');
const marks = () => import('./marked.ts');

serveTasks((task: TypesettingTask) => refusedAsUnreadable(() => done(task)));

async function done(task: TypesettingTask): Promise<unknown> {
  if (task.kind === 'page') return (await pages()).fillTemplate(task.template, task.facts, task.field);
  if (task.kind === 'try_page') return (await pages()).tryTemplate(task.template, task.facts, task.field);
  if (task.kind === 'try_form') return (await forms()).tryForm(task.form, task.fields, task.facts);
  if (task.kind === 'mark') return (await marks()).marked(task.pdf, task.word);
  return (await forms()).filled(task.form, task.fields, task.facts);
}
