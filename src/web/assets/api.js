/** Shows the OpenAPI description so that requests can be tried: always on the server of the page. */

const place = document.getElementById('swagger-ui');
if (place !== null && typeof SwaggerUIBundle === 'function') start(place);

async function start(element) {
  element.hidden = false;
  const spec = await fetch(element.dataset.url)
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined);
  if (spec === undefined) {
    element.textContent = 'The description could not be loaded. Load this page again.';
    return;
  }
  // The public address may be another one than that by which this page was reached.
  spec.servers = [{ url: location.origin + element.dataset.base }];
  new MutationObserver(() => mend(element)).observe(element, { childList: true, subtree: true });
  SwaggerUIBundle({
    spec,
    domNode: element,
    deepLinking: false,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    supportedSubmitMethods: ['get', 'post'],
    validatorUrl: null,
    // Its colours cannot be read by everybody.
    syntaxHighlight: false,
    plugins: [withOwnLayout],
    layout: 'Requests',
  });
}

/** What is missing in what it draws, for those who cannot see it or do without a mouse. */
function mend(element) {
  for (const select of element.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('[data-param-name]');
    select.setAttribute('aria-label', row?.dataset.paramName ?? 'Media type');
  }
  for (const region of element.querySelectorAll('.responses-table[role]:not([aria-label])')) {
    const [method, path] = ['method', 'path'].map(
      (part) => region.closest('.opblock')?.querySelector(`.opblock-summary-${part}`)?.textContent,
    );
    region.setAttribute('aria-label', `Responses of ${method} ${path}`);
  }
  for (const block of element.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}

/** Only the requests: title, servers and a second main landmark are the page's own matter. */
function withOwnLayout({ React: { createElement } }) {
  return {
    components: {
      Requests: ({ getComponent }) =>
        createElement(
          'div',
          { className: 'swagger-ui' },
          createElement(getComponent('SvgAssets')),
          createElement(getComponent('AuthorizeBtnContainer', true)),
          createElement(getComponent('operations', true)),
        ),
    },
  };
}
