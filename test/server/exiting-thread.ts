/** A server thread for tests that exits before it listens. */
process.exit(3);
