/** What FHIR requires of batches and transactions of order responses, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const BATCH = 'order-response/batch.http.test.ts';
const TRANSACTION = 'order-response/transaction.http.test.ts';

export const ORDER_RESPONSE_TRANSACTIONS: readonly Chapter[] = [
  {
    title: 'Order responses: batch and transaction',
    statements: [
      must(
        'The answer is a Bundle of type `batch-response` or `transaction-response`, with an answer for each entry in the order of the request.',
        [BATCH, 'answers each entry alone, in the order of the request'],
        [TRANSACTION, 'answers each entry in the order of the request'],
      ),
      must(
        'Deletes are processed first, then creates, then updates, then reads and searches.',
        [TRANSACTION, 'answers each entry in the order of the request'],
        [BATCH, 'answers each entry alone, in the order of the request'],
      ),
      must(
        'The entries of a transaction succeed or fail together. The answer to a failed transaction is one outcome.',
        [TRANSACTION, 'with … is …, names the entry, and stores nothing'],
        [
          'storage/transaction.contract.ts',
          'changes nothing if it has …, and says which call it was',
        ],
        ['storage/transaction.contract.ts', 'does not touch other calls at the same time'],
      ),
      must('The entries of a batch succeed or fail independently.', [
        BATCH,
        'answers each entry alone, in the order of the request',
      ]),
      must('References between the entries of a transaction are replaced.', [
        TRANSACTION,
        'resolves references between its entries, also in cycles',
      ]),
      must(
        'A reference to no entry of a transaction, or from one entry of a batch to another, is 400.',
        [TRANSACTION, 'with a reference to no entry is 400, names the entry, and stores nothing'],
        [BATCH, 'refuses only the entry that refers to another one'],
      ),
      must(
        'If `ifNoneExist` finds a resource, references refer to it.',
        [TRANSACTION, 'resolves references to the resource that a condition finds'],
        [TRANSACTION, 'a transaction whose conditions keep changing is 409'],
      ),
      must('At most one entry of a transaction writes a resource.', [
        TRANSACTION,
        'cannot write a resource twice, or have a fullUrl twice',
      ]),
      must(
        'A client needs the scope of each entry.',
        [TRANSACTION, 'needs the scope of each entry'],
        [BATCH, 'needs the scope of each entry for that entry'],
      ),
      must('A Bundle without requests, or of another type, is 400.', [
        TRANSACTION,
        'is 400 as a Bundle …',
      ]),
      should('Writes return what the header `Prefer` asks for.', [
        TRANSACTION,
        'returns what the client prefers of writes',
      ]),
      must('The Conformance has `transactionMode`.', [
        BATCH,
        'the Conformance has the mode of transactions',
      ]),
    ],
  },
];
