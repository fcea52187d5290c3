// Lints docs/openapi.json with the recommended rules of Redocly and Spectral, so that other generators and readers
// understand it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, formatProblems, lint } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

const FILE = join(import.meta.dirname, '../docs/openapi.json');

const isInOrder = [await passesRedocly(), await passesSpectral()].every(Boolean);
if (!isInOrder) process.exitCode = 1;

async function passesRedocly(): Promise<boolean> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The committed document is that of a local platform.
      'no-server-example.com': 'off',
    },
  });
  const problems = await lint({ ref: FILE, config });
  const totals = { errors: problems.length, warnings: 0, ignored: 0 };
  if (problems.length > 0) formatProblems(problems, { format: 'stylish', totals, version: '' });
  return problems.length === 0;
}

async function passesSpectral(): Promise<boolean> {
  const spectral = new Spectral();
  spectral.setRuleset({
    // It has `rules` but no `extends`; its type omits one of these.
    extends: [[oas as RulesetDefinition, 'recommended']],
    rules: {
      // They recompile the schema for each example, which takes three minutes of processor time. The tests check the
      // examples against their schemas: test/scripts/examples.test.ts.
      'oas3-valid-media-example': 'off',
      'oas3-valid-schema-example': 'off',
    },
  });
  const problems = await spectral.run(JSON.parse(readFileSync(FILE, 'utf8')));
  for (const { path, code, message } of problems) console.error(`${path.join('.')}: ${message} (${code})`);
  return problems.length === 0;
}
