// Runs before the viewer: gives the styles that it adds the nonce of the page, and starts it when it is there, with
// everything switched off that would call somebody else.
const place = document.getElementById('reference');
const { content: nonce } = document.querySelector('meta[property=csp-nonce]');
const createElement = document.createElement.bind(document);

document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (name === 'style') element.nonce = nonce;
  return element;
};

/**
 * The viewer would send every parameter that has an example. A caller who only presses Send wants none that is
 * optional: each starts switched off.
 */
function withOptionalsOff(api) {
  const operations = Object.values(api.paths).flatMap(Object.values);
  const shared = Object.values(api.components.parameters ?? {});
  for (const parameter of [...shared, ...operations.flatMap(({ parameters = [] }) => parameters)]) {
    if (parameter.$ref || parameter.required) continue;
    parameter.examples = { off: { value: exampleOf(parameter.schema, api.components.schemas), 'x-disabled': true } };
  }
  return api;
}

function exampleOf({ $ref, examples, enum: values }, schemas) {
  if ($ref) return exampleOf(schemas[$ref.split('/').at(-1)], schemas);
  return [...(examples ?? []), ...(values ?? []), ''][0];
}

document.addEventListener('DOMContentLoaded', async () => {
  const answer = await fetch(place.dataset.document);
  globalThis.Scalar.createApiReference(place, {
    content: withOptionalsOff(await answer.json()),
    theme: 'default',
    hideClientButton: true,
    showDeveloperTools: 'never',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'direct',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
