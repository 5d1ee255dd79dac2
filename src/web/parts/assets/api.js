/** Shows the OpenAPI description, so that people can try requests to the server of the page. */

/** A class of the document switches Swagger UI to its dark colours. */
const darkness = matchMedia('screen and (prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', follow);
follow();

const place = document.getElementById('swagger-ui');
if (place !== null && typeof SwaggerUIBundle === 'function') start(place);

async function start(element) {
  element.hidden = false;
  const spec = await fetch(element.dataset.url)
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined);
  if (spec === undefined) {
    element.textContent = 'The page could not load the description. Load the page again.';
    return;
  }
  // The page may have been reached by another address than the public one.
  spec.servers = [{ url: location.origin + element.dataset.base }];
  showXmlExamples(spec);
  let isShown = false;
  new MutationObserver(() => {
    mend(element);
    // The browser looked for the anchor before it was there.
    if (!isShown) isShown = showTarget();
  }).observe(element, { childList: true, subtree: true });
  addEventListener('hashchange', showTarget);
  SwaggerUIBundle({
    spec,
    domNode: element,
    deepLinking: false,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    supportedSubmitMethods: ['get', 'post'],
    validatorUrl: null,
    // Its colours have too little contrast.
    syntaxHighlight: false,
    plugins: [withOwnLayout],
    layout: 'Requests',
  });
}

/**
 * Swagger UI shows an example in XML unchanged only for an object whose root element has a name. The
 * description has a text, because other tools take it as it is.
 */
function showXmlExamples(spec) {
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
    for (const [type, body] of Object.entries(operation.requestBody?.content ?? {})) {
      const [, name] = /<([A-Za-z]+) /.exec(body.example) ?? [];
      if (type.includes('xml') && name !== undefined) {
        body.schema = { properties: {}, xml: { name } };
      }
    }
  }
}

/** Opens the group that the anchor of the address is in. Returns whether there is one. */
function showTarget() {
  const target = targetOf(location.hash.slice(1));
  const group = target?.closest('.app-try__group');
  if (group == null) return false;
  group.open = true;
  target.scrollIntoView();
  return true;
}

function targetOf(anchor) {
  try {
    return document.getElementById(decodeURIComponent(anchor));
  } catch {
    // An anchor such as `%` is no encoded text.
    return null;
  }
}

/** Adds the labels and keyboard access that Swagger UI lacks. */
function mend(element) {
  for (const field of element.querySelectorAll(
    'select:not([aria-label]), input:not([aria-label])',
  )) {
    const row = field.closest('[data-param-name], [data-property-name]');
    const name = row?.dataset.paramName ?? row?.dataset.propertyName;
    if (name !== undefined) field.setAttribute('aria-label', name);
    else if (field.matches('select')) field.setAttribute('aria-label', 'Media type');
  }
  for (const region of element.querySelectorAll('.responses-table[role]:not([aria-label])')) {
    const [method, path] = ['method', 'path'].map(
      (part) => region.closest('.opblock')?.querySelector(`.opblock-summary-${part}`)?.textContent,
    );
    region.setAttribute('aria-label', `Responses of ${method} ${path}`);
  }
  for (const block of element.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}

/**
 * Shows only the requests. The page itself has the title and the main landmark. A group of requests is
 * closed: its requests are in the page, so that a search in the page and an anchor open it.
 */
function withOwnLayout({ React: { createElement } }) {
  return {
    components: {
      OperationTag: ({ tag, tagObj, children }) =>
        createElement(
          'details',
          { className: 'nhsuk-details app-try__group', id: `requests-${tag}` },
          createElement(
            'summary',
            { className: 'nhsuk-details__summary' },
            createElement('h3', { className: 'nhsuk-details__summary-text' }, tag),
          ),
          createElement('p', null, tagObj.getIn(['tagDetails', 'description'], '')),
          children,
        ),
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
