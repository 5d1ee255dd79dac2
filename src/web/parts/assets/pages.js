/** Suggestions while people type, and buttons that copy. Pages work without them. */

/** How long a button shows whether the copy succeeded. */
const COPIED_MS = 4000;

const announcements = document.getElementById('announcements');

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (source === null) continue;
  button.hidden = false;
  let timer = 0;
  button.addEventListener('click', async () => {
    const isCopied = await copy(source);
    show(button, isCopied ? 'Copied' : 'Not copied', isCopied);
    announce(
      isCopied
        ? button.dataset.copied
        : 'Your browser could not copy it. Select the text and copy it yourself',
    );
    clearTimeout(timer);
    timer = setTimeout(() => show(button, 'Copy', false), COPIED_MS);
  });
}

function show(button, label, isCopied) {
  button.querySelector('[data-copy-label]').textContent = label;
  button.classList.toggle('app-copy--copied', isCopied);
}

const box = document.querySelector('input[data-suggestions]');
if (box !== null) suggest(box);

/** Browsers offer the clipboard only to pages of secure origins. Other pages copy the selection. */
async function copy(source) {
  const text = source.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const selection = getSelection();
    selection?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}

function announce(text) {
  if (announcements === null) return;
  // Screen readers do not repeat the same text.
  announcements.textContent = '';
  setTimeout(() => {
    announcements.textContent = text;
  }, 50);
}

/**
 * A combobox with a list box, as the ARIA Authoring Practices describe it: the focus stays in the
 * box, arrows move through the list, Enter opens the chosen item, Escape closes the list. Without a
 * choice, Enter searches.
 */
function suggest(input) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'app-suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  input.after(list);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-controls', list.id],
    ['aria-expanded', 'false'],
  ]) {
    input.setAttribute(name, value);
  }
  let items = [];
  let chosen = -1;
  let timer = 0;
  let request;

  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    items = [];
    choose(-1);
    input.setAttribute('aria-expanded', 'false');
  };
  const choose = (index) => {
    chosen = index;
    for (const [i, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(i === index));
      if (i === index) item.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  };
  const open = (suggestions) => {
    items = suggestions;
    list.replaceChildren(...suggestions.map(suggestionItem));
    choose(-1);
    const isOpen = suggestions.length > 0;
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    announce(announcementOf(suggestions.length));
  };
  const go = ({ code }) => {
    location.href = input.dataset.organizations + encodeURIComponent(code);
  };
  const ask = async () => {
    const text = input.value.trim();
    request?.abort();
    if (text.length < 2) {
      close();
      return;
    }
    request = new AbortController();
    try {
      const url = `${input.dataset.suggestions}?q=${encodeURIComponent(text)}`;
      const answer = await fetch(url, { signal: request.signal });
      if (answer.ok && document.activeElement === input) open(await answer.json());
    } catch {
      // The request was aborted or failed; the search works without suggestions.
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 150);
  });
  input.addEventListener('keydown', (event) => {
    const isMove = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isMove && items.length > 0) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const places = items.length + 1;
      // The place after the list is the box itself.
      choose(((chosen + 1 + step + places) % places) - 1);
      event.preventDefault();
    } else if (event.key === 'Enter' && items[chosen] !== undefined) {
      event.preventDefault();
      go(items[chosen]);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  input.addEventListener('blur', () => {
    clearTimeout(timer);
    request?.abort();
    close();
  });
  // Before the box loses the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null;
    const found = items[[...list.children].indexOf(item)];
    if (found !== undefined) go(found);
  });
  addEventListener('pageshow', close);
}

function announcementOf(count) {
  if (count === 0) return 'No suggestions';
  return `${count} ${count === 1 ? 'suggestion' : 'suggestions'}. Use the arrow keys to choose`;
}

function suggestionItem({ code, name, place, isActive }, index) {
  const item = document.createElement('li');
  item.id = `suggestion-${index}`;
  item.className = 'app-suggestions__item';
  item.setAttribute('role', 'option');
  const detail = document.createElement('span');
  detail.className = 'app-suggestions__detail';
  detail.textContent = [code, place, isActive ? '' : 'inactive'].filter(Boolean).join(' · ');
  item.append(name, ' ', detail);
  return item;
}
