/**
 * Sends an order response to the server of the page, and shows the answer. The token is only in its
 * box and in the header of the requests. It is never in an address or in the storage of the browser.
 */

const form = document.getElementById('try');
const tokenBox = document.getElementById('token');
const editor = document.getElementById('order-response');
const outcome = document.getElementById('try-outcome');
const { orders, newToken } = form.dataset;

/** The address of the order response that was created last. */
let created = '';

form.hidden = false;
document.getElementById('without-script').hidden = true;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void create();
});
button('read').addEventListener('click', () => void send('GET', created));
button('history').addEventListener('click', () => void send('GET', `${created}/_history`));
if (newToken !== undefined) button('new-token').addEventListener('click', () => void getToken());
// The browser can keep the page in its back/forward cache, and show it again.
addEventListener('pagehide', () => {
  tokenBox.value = '';
});

function button(id) {
  return document.getElementById(id);
}

async function getToken() {
  const answer = await fetch(newToken, { method: 'POST' }).catch(() => undefined);
  if (answer?.status !== 201) {
    say('The server did not create a token. Open this page at the public address of the server.');
    return;
  }
  tokenBox.value = (await answer.json()).token;
  say('The token is now in the Token box.');
}

async function create() {
  const hasToken = tokenBox.value.trim() !== '';
  const error = document.getElementById('token-error');
  error.hidden = hasToken;
  error.textContent = hasToken ? '' : 'Enter a token first.';
  tokenBox.setAttribute('aria-invalid', String(!hasToken));
  if (!hasToken) {
    tokenBox.focus();
    return;
  }
  const text = editor.value.trim();
  const type = text.startsWith('<') ? 'application/xml+fhir' : 'application/json+fhir';
  const answer = await send('POST', orders, { type, text });
  const id = /\/OrderResponse\/([^/]+)/.exec(answer?.headers.get('location') ?? '')?.[1];
  if (answer?.status !== 201 || id === undefined) return;
  created = `${orders}/${id}`;
  for (const name of ['read', 'history']) button(name).hidden = false;
}

/** Shows the answer, and returns it; undefined if there is none. */
async function send(method, path, body) {
  const type = body?.type ?? 'application/json+fhir';
  const token = tokenBox.value.trim();
  let answer;
  let text;
  try {
    answer = await fetch(`${path}?_pretty=true`, {
      method,
      headers: {
        accept: type,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      body: body?.text,
    });
    text = await answer.text();
  } catch {
    // The token has a character that a header cannot have, or the server does not answer.
    say('The request could not be sent. Check the token, and check that the server is running.');
    return undefined;
  }
  show(`${method} ${path}`, answer, text);
  return answer;
}

function show(request, { status, headers }, text) {
  const meaning = `${status} ${MEANINGS[status] ?? ''}`.trim();
  fill('request', request);
  fill('status', meaning);
  fill('location', headers.get('location') ?? '');
  fill('etag', headers.get('etag') ?? '');
  document.getElementById('answer-body').textContent = text;
  const section = document.getElementById('answer');
  section.hidden = false;
  section.scrollIntoView();
  say(`The server answered ${meaning}. The answer is below.`);
}

/** The meaning of the statuses of this service. */
const MEANINGS = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request: not a valid order response',
  401: 'Unauthorized: the token is missing or not valid',
  403: 'Forbidden: the token does not allow this',
  413: 'Content Too Large',
  422: 'Unprocessable: against the rules of this service',
  429: 'Too Many Requests',
  503: 'Service Unavailable: try again later',
};

function fill(name, text) {
  const place = document.getElementById(`answer-${name}`);
  place.textContent = text;
  place.parentElement.hidden = text === '';
}

/** Clears the text first, because screen readers do not repeat the same text. */
function say(text) {
  outcome.textContent = '';
  setTimeout(() => {
    outcome.textContent = text;
  }, 50);
}
