/** The channels of `NOTIFY`, over which programs tell others that something has changed. */

/** Another edition is current. */
export const EDITION_CHANNEL = 'gazetteer_edition';
