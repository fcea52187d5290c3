// The browsable reference: one page from the OpenAPI document, without anything from elsewhere.
import type { OpenApiDocument } from '../openapi/document.ts';
import { asIs, type Html, html, prose } from './html.ts';
import { fieldView, schemaView } from './schema-view.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: object;
}

interface Content {
  content?: Record<string, { schema: object; examples?: Record<string, object> }>;
}

type Described = Content & { description: string };

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Described>;
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** Writes the page. */
export function referencePage(document: OpenApiDocument, assets: { style: string; script: string }): string {
  const operations = listOf(document);
  const { title, version, summary, description } = document.info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<style>${asIs(assets.style)}</style>
</head>
<body>
<nav>
<h1>${title} <small>${version}</small></h1>
<input id="filter" type="search" placeholder="Filter operations  ( / )" aria-label="Filter operations" autocomplete="off">
${document.tags.map(({ name }) => menuView(name, operations))}
<h2>Schemas</h2>
<ul>${Object.keys(document.components.schemas ?? {}).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>
<main>
<header>
<p class="lead">${summary}</p>
${prose(description)}
<p>Server <code>${document.servers[0]?.url}</code>. For programs: <a href="openapi.json">openapi.json</a>.</p>
</header>
${document.tags.map(({ name }) => tagView(name, operations, document))}
<section><h2>Schemas</h2>${Object.entries(document.components.schemas ?? {}).map(namedSchemaView)}</section>
</main>
<script>${asIs(assets.script)}</script>
</body>
</html>
`.text;
}

function listOf(document: OpenApiDocument): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  );
}

function menuView(tag: string, operations: readonly Listed[]): Html {
  const entries = operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(
      ({
        method,
        path,
        operation: { operationId, summary },
      }) => html`<li data-find="${`${method} ${path} ${summary}`.toLowerCase()}">
<a href="#${operationId}"><b class="method ${method}">${method}</b>${summary}</a></li>`,
    );
  return html`<div class="group"><h2>${tag}</h2><ul>${entries}</ul></div>`;
}

function tagView(tag: string, operations: readonly Listed[], document: OpenApiDocument): Html {
  const own = operations.filter(({ operation }) => operation.tags.includes(tag));
  return html`<section><h2>${tag}</h2>${own.map((listed) => operationView(listed, document))}</section>`;
}

function operationView({ method, path, operation }: Listed, document: OpenApiDocument): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const rows = parameters.map((parameter) => parameterView(resolved(parameter, document)));
  return html`<article id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="call"><b class="method ${method}">${method}</b><code>${path}</code></p>
${prose(description)}
<details class="parameters"${asIs(hasOwn(parameters) ? ' open' : '')}><summary>Parameters and headers</summary><table class="fields">${rows}</table></details>
${requestBody && html`<h4>Body</h4>${contentView(requestBody, document)}`}
<h4>Answers</h4>
${Object.entries(responses).map(([status, response]) => responseView(status, response, document))}
</article>`;
}

/** Whether an operation has parameters beyond those that all have. */
function hasOwn(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ $ref }) => $ref === undefined);
}

function resolved(parameter: Parameter, document: OpenApiDocument): Parameter {
  if (!parameter.$ref) return parameter;
  const name = parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1);
  return document.components.parameters?.[name] as unknown as Parameter;
}

function parameterView({ name, in: place, required, description, schema }: Parameter): Html {
  return fieldView(
    place === 'path' ? `{${name}}` : place === 'query' ? `?${name}` : name,
    schema,
    required,
    description,
  );
}

function responseView(status: string, response: Described, document: OpenApiDocument): Html {
  const kind = status.startsWith('2') ? 'good' : 'bad';
  // Every error has the same body, which its link explains once.
  const content = kind === 'good' ? contentView(response, document) : contentView(response, null);
  return html`<details class="answer"><summary><b class="status ${kind}">${status}</b> ${inline(response.description)}</summary>
${content}</details>`;
}

function inline(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** With the document, the fields of a named object are shown beside its link. */
function contentView({ content = {} }: Content, document: OpenApiDocument | null): Html {
  const parts = Object.entries(content).map(
    ([type, { schema }]) =>
      html`<p class="media">${type}</p>${schemaView(schema)}${document && fieldsOf(schema, document)}`,
  );
  return html`${parts}`;
}

/** What a link to a named object stands for, so that one need not follow it. */
function fieldsOf({ $ref }: { $ref?: string }, { components }: OpenApiDocument): Html | null {
  const schema = $ref ? components.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)] : null;
  if (!schema || !('properties' in schema)) return null;
  return html`<details><summary>fields</summary>${schemaView(schema)}</details>`;
}

function namedSchemaView([name, schema]: [string, object]): Html {
  const { description } = schema as { description?: string };
  return html`<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${prose(description)}${schemaView(schema)}</article>`;
}
