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

document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference(place, {
    url: place.dataset.document,
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
