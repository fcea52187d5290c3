// Ids, dates, instants and amounts are described once: any field that carries one refers to its description.
import test from 'ava';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { ROUTES } from '../../../api/routes/index.ts';

const document = openApiDocument(ROUTES, { version: '1.2.3', serverUrl: 'https://api.example.com' });

type Json = Record<string, unknown>;

/** Names of fields that carry an id, a person, a day, an instant or an amount. */
const KINDS = {
  id: /^id$|Ids?$/,
  person: /By$/,
  day: /^date$|(Date|On)$/,
  instant: /^at$|At$/,
  amount:
    /^(amount|total|balance|premium|deductible|limit|debit|credit|fee|tax|payable|paid)$|(Amount|Amounts|Premium|Dollars|Total|Balance|Deductible|Limit|Due|Revenue|Change|Volume)$/,
};

/** Fields with such a name that carry something else, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Claim.reportedBy': 'is a name in words',
  'ClaimCreate.reportedBy': 'is a name in words',
  'DaFlag.limit': 'may be an amount, a count or a text',
  'Error_forbidden.limit': 'may be an amount, a count or a text',
  'Error_limit_exhausted.limit': 'may be an amount, a count or a text',
  'Error_service_unavailable.commandId': 'is a name in the workflow engine',
  'Event_financial_operation_failed.workflowId': 'is a name in the workflow engine',
  'RenderPdf.templateId': 'is the name of a kind of document',
  'RenewalBatch.workflowId': 'is a name in the workflow engine',
  'StartedRenewalBatch.workflowId': 'is a name in the workflow engine',
  'ingestDocument.entityId': 'has a kind that depends on `entityType`',
  'listDocuments.entityId': 'has a kind that depends on `entityType`',
  'listReferrals.decidableBy': 'is a word',
  'BankLine.matchedBy': 'is the name of a rule',
};

/** Every property in the document: the enclosing schema's name, its own name, its schema. */
function propertiesOf(value: unknown, around: string): [string, string, Json][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (['example', 'examples', 'default'].includes(key)) return [];
    const deeper = propertiesOf(inner, around);
    if (key !== 'properties' || Array.isArray(value)) return deeper;
    const own = Object.entries(inner as Json).map(([name, schema]): [string, string, Json] => {
      return [around, name, schema as Json];
    });
    return [...own, ...deeper];
  });
}

const everyProperty = [
  ...Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) => propertiesOf(schema, name)),
  ...operationBodies(),
];

function operationBodies(): [string, string, Json][] {
  return Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => {
      const { operationId, requestBody, responses, parameters } = operation as Json;
      const id = String(operationId);
      const own = (parameters as Json[]).filter(({ $ref }) => $ref === undefined);
      const given = own.map(({ name, schema }): [string, string, Json] => [id, String(name), schema as Json]);
      return [...given, ...propertiesOf([requestBody, responses], id)];
    }),
  );
}

/** Whether a schema refers to a named one, or contains no text or fraction that could need a name. */
function isNamed(schema: Json): boolean {
  if (JSON.stringify(schema).includes('"$ref"')) return true;
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.every(isNamed);
  const types = [schema.type].flat();
  return types.every((type) => type === 'null' || type === 'boolean' || type === 'integer' || type === 'object');
}

test('every field that carries an id, a day, an instant, a person or an amount refers to its one description', (t) => {
  const isCalledSo = (name: string) => Object.values(KINDS).some((kind) => kind.test(name));
  const carrying = everyProperty.filter(([, name]) => isCalledSo(name));
  t.true(carrying.length > 1_000);
  const unnamed = carrying.filter(([, , schema]) => !isNamed(schema)).map(([around, name]) => `${around}.${name}`);
  t.deepEqual([...new Set(unnamed)].sort(), Object.keys(EXCEPTIONS).sort());
});

test('an amount that can be negative is described as an amount of either sign', (t) => {
  const schemas = document.components.schemas as Record<string, { properties: Record<string, { $ref?: string }> }>;
  for (const field of [
    'Payment.amount',
    'PolicyTransaction.premiumChange',
    'BankLine.amount',
    'RemittedInvoice.amount',
    'InvoiceLine.amount',
  ]) {
    const [name = '', property = ''] = field.split('.');
    t.is(schemas[name]?.properties[property]?.$ref, '#/components/schemas/SignedDollars', field);
  }
});

test('an id is described with its prefix, an amount with its unit, a day with its form', (t) => {
  const { PolicyId, OrganizationId, Dollars, BusinessDate, Month, Instant } = document.components.schemas as Record<
    string,
    Json
  >;
  t.is(PolicyId?.pattern, '^pol_[0-7][0-9a-hjkmnp-tv-z]{25}$');
  t.is(OrganizationId?.pattern, '^org_[0-7][0-9a-hjkmnp-tv-z]{25}$');
  t.regex(String(Dollars?.description), /Dollars/);
  t.is(BusinessDate?.format, 'date');
  const isOfForm = (schema: Json | undefined, text: string) => new RegExp(String(schema?.pattern)).test(text);
  t.true(isOfForm(BusinessDate, '2026-03-01'));
  t.false(isOfForm(BusinessDate, '2026-13-01'));
  t.true(isOfForm(Month, '2026-12'));
  t.false(isOfForm(Month, '2026-3'));
  t.true(isOfForm(Instant, '2026-03-01T12:00:00.000Z'));
  t.false(isOfForm(Instant, '2026-03-01T12:00:00+01:00'));
});

/** A name as client generators write it: `contact` and `due-date` become `Contact` and `DueDate`. */
const pascal = (name: string) => name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first) => first.toUpperCase());

/** The names that generators derive for unnamed objects and enumerations inside a schema. */
function derivedNames(schema: Json, name: string, isNamedItself = false): string[] {
  if ('$ref' in schema) return [];
  const own = !isNamedItself && ('properties' in schema || 'enum' in schema) ? [name] : [];
  const choices = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((each) => (each ?? []) as Json[]);
  return [
    ...own,
    ...Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([property, inner]) =>
      derivedNames(inner, `${name}${pascal(property)}`),
    ),
    ...(typeof schema.items === 'object' ? derivedNames(schema.items as Json, `${name}Item`) : []),
    ...choices.flatMap((choice) => derivedNames(choice, name, isNamedItself)),
  ];
}

test('no generator of clients derives the name of a component for an object inside another component', (t) => {
  const schemas = document.components.schemas as Record<string, Json>;
  const derived = Object.entries(schemas).flatMap(([name, schema]) => derivedNames(schema, name, true));
  t.true(derived.length > 50, `${derived.length}`);
  t.deepEqual(
    derived.filter((name) => name in schemas),
    [],
  );
  const inline = { properties: { contact: { anyOf: [{ properties: {} }, { type: 'null' }] } } };
  t.deepEqual(derivedNames(inline, 'Policy', true), ['PolicyContact']);
});

test('every parameter of a path, a query or a header has a description', (t) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Json[];
  const own = operations.flatMap(({ operationId, parameters }) =>
    (parameters as Json[]).map((parameter): [string, Json] => [String(operationId), parameter]),
  );
  const shared = Object.entries((document.components.parameters ?? {}) as Record<string, Json>);
  const described = [...own.filter(([, { $ref }]) => $ref === undefined), ...shared];
  t.true(described.length > 500, `${described.length}`);
  const silent = described.filter(([, { description }]) => !/^.{10,}[.…]$/s.test(String(description ?? '')));
  t.deepEqual(
    silent.map(([around, { name }]) => `${around}.${name}`),
    [],
  );
  const of = (id: string, name: string) =>
    own.find(([operation, parameter]) => operation === id && parameter.name === name)?.[1].description;
  t.is(of('getPolicy', 'id'), 'The id of the policy.');
  t.is(of('revokeApiKey', 'id'), 'The id of the API key.');
  t.is(of('listInvoices', 'policyId'), 'Only those of this policy.');
  t.is(of('listSubmissions', 'createdTo'), 'Only those created on this business date of the organization or earlier.');
});
