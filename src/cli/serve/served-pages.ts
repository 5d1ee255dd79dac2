/** Whether a server has pages for people, and what they give away. */
import type { Config } from '../../config/settings.ts';

/** The pages show the directory to everyone, so there are none where it needs a token. */
export function hasPages(config: Config): boolean {
  return (
    config['pages.enabled'] && config['directory.enabled'] && !config['directory.authenticate']
  );
}

/** Whether the pages give a token for order responses to everyone. */
export function givesTokens(config: Config): boolean {
  return config['pages.giveTokens'] && config['orders.enabled'] && hasPages(config);
}
