/**
 * The options of the commands that people run first. A mistake is found before the packages are
 * installed, which takes half a minute. Plain JavaScript without packages, for Node 20.
 */

const PORT = {
  must: 'be a port: 0 to 65535',
  is: (text) => /^\d+$/.test(text) && Number(text) <= 65535,
};
const FOLDER = { must: 'name a folder', is: (text) => text !== '' && !text.startsWith('-') };
const FILE = { must: 'name a file', is: (text) => text !== '' && !text.startsWith('-') };

/** By the words of package.json that run the command. Undefined: the option has no value. */
export const FIRST_OPTIONS = {
  'src/main.ts demo': {
    name: 'npm run demo --',
    options: {
      '--port': PORT,
      '--data': FOLDER,
      '--config': FILE,
      '--help': undefined,
      '-h': undefined,
      '--version': undefined,
      '-V': undefined,
    },
  },
  'scripts/check.ts': { name: 'npm run check', options: {} },
};

/**
 * The text for `--help` of a script that has no help of its own: the comment at its top. `source`: the
 * text of the script.
 */
export function helpIn([script = '', ...rest], source) {
  const isAsked = rest.includes('--help') || rest.includes('-h');
  if (!isAsked || !/^(?:scripts|test)\//.test(script) || source.includes('help:')) return undefined;
  const [, comment] = /^\/\*\*(.*?)\*\//s.exec(source) ?? [];
  return comment?.replaceAll(/^ \* ?/gm, '').trim();
}

/** The mistake in the words of a command, in one line with the remedy; undefined if there is none. */
export function mistakeIn(words) {
  const [script, ...rest] = words.filter((word) => !word.startsWith('--disable-warning='));
  const commands = Object.entries(FIRST_OPTIONS);
  const [key, command] =
    commands.find(([key]) => `${[script, ...rest].join(' ')} `.startsWith(`${key} `)) ?? [];
  if (command === undefined) return undefined;
  const given = rest.slice(key.split(' ').length - 1);
  while (given.length > 0) {
    const [name, inline] = split(given.shift());
    if (!Object.hasOwn(command.options, name)) return unknown(command, name);
    const rule = command.options[name];
    const value = rule === undefined ? undefined : (inline ?? given.shift() ?? '');
    if (rule !== undefined && !rule.is(value)) {
      return `${command.name} ${name} must ${rule.must}. Got "${value}".`;
    }
  }
  return undefined;
}

function split(word) {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function unknown({ name, options }, word) {
  const known = Object.keys(options).filter((option) => option.startsWith('--'));
  return known.length === 0
    ? `${name} has no options. Got "${word}".`
    : `${name} has no option "${word}". Its options are ${known.join(', ')}.`;
}
