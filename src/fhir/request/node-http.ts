/**
 * What the program uses of `node:http`. An import of that module also loads Node's WebSocket client,
 * which takes 30 ms in each thread.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
