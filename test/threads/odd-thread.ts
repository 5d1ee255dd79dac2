/** A thread for tests of the supervisor: it behaves as its `workerData` says. */
import { parentPort, workerData } from 'node:worker_threads';

const main = parentPort;

switch (workerData) {
  case 'throws':
    throw new Error('broken');
  case 'exits':
    process.exit(3);
    break;
  case 'reasons':
    main?.postMessage({ error: 'no space left' });
    break;
  case 'silent':
    setInterval(() => {}, 1000);
    break;
  case 'stubborn':
    main?.on('message', () => {});
    main?.postMessage('ready');
    break;
  case 'busy':
    main?.postMessage('ready');
    for (;;);
  case 'quits':
    main?.postMessage('ready');
    break;
  default:
    main?.on('message', (message) => {
      if (message === 'die') throw new Error('asked to die');
      if (message === 'stop') main.close();
      else main.postMessage(`got ${message}`);
    });
    main?.postMessage('ready');
}
