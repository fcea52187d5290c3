// JSON schemas as people read them: one line a field, with its type, its bounds and what it means.
import { type Html, html, prose } from './html.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const SHOWN_VALUES = 12;

/** Shows a schema: the fields of an object, else its type. */
export function schemaView(value: object): Html {
  const schema = value as Schema;
  if (!schema.properties) return html`<p class="type">${typeView(schema)} ${boundsView(schema)}</p>`;
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties).map(([name, field]) => fieldView(name, field, required.has(name)));
  return rows.length === 0 ? html`<p class="type">empty object</p>` : html`<table class="fields">${rows}</table>`;
}

/** Shows one field or parameter as a row of a table. */
export function fieldView(name: string, value: object, isRequired: boolean, description?: string): Html {
  const field = value as Schema;
  return html`<tr>
<th><code>${name}</code>${isRequired && html`<b title="required">*</b>`}</th>
<td><span class="type">${typeView(field)}</span> ${boundsView(field)}${prose(description ?? field.description)}${nestedView(field)}</td>
</tr>`;
}

/** Named schemas are links; what has no name is shown in place. */
function nestedView(field: Schema): Html | null {
  const inner = field.items ?? field.anyOf?.find((branch) => branch.properties) ?? field;
  return inner.properties ? html`<details><summary>fields</summary>${schemaView(inner)}</details>` : null;
}

function typeView(schema: Schema): Html {
  const { $ref, items, anyOf, oneOf, type, format } = schema;
  if ($ref) return referenceView($ref);
  if (items) return html`list of ${typeView(items)}`;
  const branches = anyOf ?? oneOf;
  if (branches) return joined(branches.map(typeView), ' or ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const names = [type ?? 'any'].flat().join(' or ');
  return format ? html`${names} <i>${format}</i>` : html`${names}`;
}

function referenceView(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}

function boundsView(schema: Schema): Html {
  const bounds = [
    rangeText('', schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? null : `above ${schema.exclusiveMinimum}`,
    rangeText('characters', schema.minLength, schema.maxLength),
    rangeText('entries', schema.minItems, schema.maxItems),
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((bound) => bound !== null);
  const values = schema.enum ?? [];
  const shown = values.slice(0, SHOWN_VALUES).map((value) => html`<code>${value}</code> `);
  const rest = values.length > SHOWN_VALUES && html`and ${values.length - SHOWN_VALUES} more`;
  return html`<span class="bounds">${bounds.join(', ')} ${shown}${rest}</span>`;
}

function rangeText(unit: string, least: number | undefined, most: number | undefined): string | null {
  if (least === undefined && most === undefined) return null;
  const range =
    least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`;
  return unit === '' ? range : `${range} ${unit}`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`))}`;
}
