// npm run dependencies: reviews the dependencies, and looks for known vulnerabilities if the registry answers.
import './help/show-help.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewDependencies } from './dependencies/review.ts';
import { auditDependencies } from './dependencies/vulnerabilities.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

console.log('— dependencies');
const breaches = reviewDependencies(read('package.json'), read('package-lock.json'));
const { lines, failed } = auditDependencies(ROOT);
for (const line of [...breaches, ...lines]) console.log(line);
if (breaches.length > 0 || failed) process.exitCode = 1;
