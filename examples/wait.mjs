/**
 * Waits for new versions of order responses, and prints each. Run it with Node 20 or newer, the base URL in BASE, a
 * token in TOKEN and search parameters in SEARCH. Store the last `url`, to continue from it after a restart.
 */
let url = `${process.env.BASE}/OrderResponse/_history?_after=0&_wait=60&${process.env.SEARCH}`;
const headers = { Authorization: `Bearer ${process.env.TOKEN}`, Accept: 'application/json' };
for (;;) {
  const response = await fetch(url, { headers }).catch(() => undefined);
  const { entry = [], link = [] } = response?.ok ? await response.json() : {};
  for (const { resource, request } of entry)
    console.log(request.method, resource?.id, resource?.orderStatus);
  if (response?.status === 410) throw new Error('The position is unknown: begin with _after=0.');
  if (response?.ok) url = link.find(({ relation }) => relation === 'follow').url;
  else await new Promise((resolve) => setTimeout(resolve, 5000));
}
