// Previous secrets after a rotation: which are accepted, and what is refused at start-up.
import test from 'ava';
import { ConfigError, loadApiConfig, SECRET_NAMES, VARIABLES } from '../config.ts';

const secretOf = (name: string) => `${name}-0123456789abcdef0123456789abcdef`;
const complete: Record<string, string> = {
  ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secretOf(name)])),
  DATABASE_APP_URL: 'postgres://bindery_app:app@localhost/bindery',
  DATABASE_OPS_URL: 'postgres://bindery_ops:ops@localhost/bindery',
};

test('every secret can have one that it replaced; the current one comes first', (t) => {
  for (const name of SECRET_NAMES) {
    const field = name.toLowerCase().replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()) as 'jwtSecret';
    const previous = secretOf('old');
    const config = loadApiConfig({ ...complete, [`${name}_PREVIOUS`]: previous });
    t.deepEqual(config.acceptedSecrets[field], [secretOf(name), previous]);
    t.is(config[field], secretOf(name));
    t.deepEqual(loadApiConfig(complete).acceptedSecrets[field], [secretOf(name)]);
    t.deepEqual(loadApiConfig({ ...complete, [`${name}_PREVIOUS`]: '' }).acceptedSecrets[field], [secretOf(name)]);
    t.true(VARIABLES.some((variable) => variable.name === `${name}_PREVIOUS`));
  }
});

test('a replaced secret under 32 bytes is refused, and its value is not shown', (t) => {
  const { message } = t.throws(() => loadApiConfig({ ...complete, API_SECRET_PREVIOUS: 'too-short-a-value' }), {
    instanceOf: ConfigError,
  }) as ConfigError;
  t.regex(message, /API_SECRET_PREVIOUS must have at least 32/);
  t.notRegex(message, /too-short-a-value/);
});

test('a replaced secret that equals any other, current or replaced, is refused', (t) => {
  for (const name of SECRET_NAMES) {
    const bad = { ...complete, JWT_SECRET_PREVIOUS: secretOf(name) };
    t.throws(() => loadApiConfig(bad), { message: new RegExp(`JWT_SECRET_PREVIOUS equals ${name}\\b`) });
  }
  const twice = { ...complete, API_SECRET_PREVIOUS: secretOf('old'), AUTH_SECRET_PREVIOUS: secretOf('old') };
  t.throws(() => loadApiConfig(twice), { message: /AUTH_SECRET_PREVIOUS equals API_SECRET_PREVIOUS/ });
});
