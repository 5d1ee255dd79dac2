/** The channels of `NOTIFY`, over which programs tell others that something has changed. */

/** Another edition is current. */
export const EDITION_CHANNEL = 'gazetteer_edition';

/** The keys of tokens have changed. */
export const TOKEN_KEY_CHANNEL = 'gazetteer_token_key';
