/** A server thread for tests that fails before it can do anything. */
throw new Error('broken');
