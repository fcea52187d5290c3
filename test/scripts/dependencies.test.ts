// The dependency review, on packages that break one rule each and on this package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type LockEntry, type PackageFile, reviewDependencies } from '../../scripts/dependencies/review.ts';
import { judgeAudit } from '../../scripts/dependencies/vulnerabilities.ts';

const good: LockEntry = { version: '1.2.3', integrity: 'sha512-abc' };
const review = (file: PackageFile, packages: Record<string, LockEntry & PackageFile>) =>
  reviewDependencies(file, { packages: { '': file, ...packages } });

test('a version that is not exact is found, and so is one that the lock file does not know', (t) => {
  for (const version of ['^1.2.3', '~1.2.3', '>=1.2.3', '1.2', '1.x', '*', 'latest', 'git+ssh://example.test/a.git']) {
    t.is(review({ dependencies: { a: version } }, {}).length, 1, version);
    t.is(review({ devDependencies: { a: version } }, {}).length, 1, version);
  }
  t.deepEqual(review({ dependencies: { a: '1.2.3', b: '18.4.0-beta.17' } }, {}), []);
  const file = { dependencies: { a: '1.2.3' } };
  t.is(reviewDependencies(file, { packages: { '': { dependencies: { a: '1.2.2' } } } }).length, 1);
});

test('a package without a checksum, from elsewhere or with an unknown install script is found, however deep', (t) => {
  const faults: LockEntry[] = [
    { version: '1.2.3' },
    { ...good, integrity: 'sha1-abc' },
    { ...good, resolved: 'http://example.test/a.tgz' },
    { ...good, resolved: 'git+ssh://example.test/a.git#abc' },
    { ...good, link: true },
    { ...good, hasInstallScript: true },
  ];
  for (const fault of faults) {
    t.is(review({}, { 'node_modules/a': fault }).length, 1, JSON.stringify(fault));
    t.is(review({}, { 'node_modules/a': good, 'node_modules/b/node_modules/@c/d': fault }).length, 1);
  }
  t.deepEqual(review({}, { 'node_modules/a': good }), []);
  t.deepEqual(review({}, { 'node_modules/b/node_modules/protobufjs': { ...good, hasInstallScript: true } }), []);
  t.is(review({}, { 'node_modules/protobufjs-evil': { ...good, hasInstallScript: true } }).length, 1);
});

test('the dependencies of this package are in order', (t) => {
  const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'));
  t.deepEqual(reviewDependencies(read('package.json'), read('package-lock.json')), []);
});

test('a serious vulnerability with a fixed version fails, one without is shown, a silent registry is named', (t) => {
  const report = (severity: string, fixAvailable: unknown) =>
    judgeAudit(JSON.stringify({ vulnerabilities: { a: { name: 'a', severity, fixAvailable } } }));
  for (const severity of ['high', 'critical']) {
    t.true(report(severity, true).failed);
    t.true(report(severity, { name: 'a', version: '2.0.0' }).failed);
    t.like(report(severity, false), { failed: false });
    t.regex(report(severity, false).lines.join('\n'), /\ba \(/);
  }
  for (const severity of ['low', 'moderate']) t.false(report(severity, true).failed);
  for (const printed of ['', 'not JSON', '{"error":{"summary":"405 Method Not Allowed"}}']) {
    const { lines, failed } = judgeAudit(printed);
    t.false(failed);
    t.is(lines.length, 1);
    t.regex(lines[0] ?? '', /does not answer/);
  }
});
