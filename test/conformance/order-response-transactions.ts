/** What FHIR requires of batches and transactions of order responses, with the tests that show it. */
import { type Chapter, must, should } from './statement.ts';

const BATCH = 'order-response/batch.http.test.ts';
const TRANSACTION = 'order-response/transaction.http.test.ts';
const LINKS = 'order-response/transaction-links.http.test.ts';
const CONDITIONAL = 'order-response/conditional-references.http.test.ts';

export const ORDER_RESPONSE_TRANSACTIONS: readonly Chapter[] = [
  {
    title: 'Order responses: batch and transaction',
    statements: [
      must(
        'The answer is a Bundle of type `batch-response` or `transaction-response`, with an answer for each entry in the order of the request. Deletes are processed first, then creates, then updates, then reads and searches. The Conformance has `transactionMode`.',
        [BATCH, 'answers each entry alone, in the order of the request'],
        [TRANSACTION, 'answers each entry in the order of the request'],
        [BATCH, 'the Conformance has the mode of transactions'],
      ),
      must(
        'The entries of a transaction succeed or fail together, with one outcome. References between entries are replaced, also if `ifNoneExist` finds a resource. At most one entry writes a resource.',
        [TRANSACTION, 'with … is …, names the entry, and stores nothing'],
        [
          'storage/transaction.contract.ts',
          'changes nothing if it has …, and says which call it was',
        ],
        ['storage/transaction.contract.ts', 'does not touch other calls at the same time'],
        [TRANSACTION, 'resolves references between its entries, also in cycles'],
        [TRANSACTION, 'resolves references to the resource that a condition finds'],
        [TRANSACTION, 'a transaction whose conditions keep changing is 409'],
        [TRANSACTION, 'cannot write a resource twice, or have a fullUrl twice'],
      ),
      must(
        'The entries of a batch succeed or fail independently. A reference to no entry, or from one entry of a batch to another, is 400, and so is an entry without a request. A transaction with such an entry is 400, and so is a Bundle of another type. A client needs the scope of each entry.',
        [BATCH, 'answers each entry alone, in the order of the request'],
        [TRANSACTION, 'with a reference to no entry is 400, names the entry, and stores nothing'],
        [BATCH, 'refuses only the entry that refers to another one'],
        [BATCH, 'refuses only the entries that are no requests'],
        [BATCH, 'refuses a whole Bundle that is none, or has too many entries'],
        [TRANSACTION, 'needs the scope of each entry'],
        [BATCH, 'needs the scope of each entry for that entry'],
        [TRANSACTION, 'is 400 as a Bundle …'],
      ),
      must(
        'The links to an entry are replaced: references, elements of type `uri`, `<a href>` and `<img src>`. A relative reference is relative to the root of the `fullUrl` of its entry. A reference to a version means the entry with this version.',
        [LINKS, 'are replaced: … in …'],
        [LINKS, 'name the version that an update makes, or that a condition finds'],
        [LINKS, 'that lead nowhere are refused: … in …'],
        [LINKS, 'that lead elsewhere do not change'],
        [LINKS, 'in a batch are refused if they lead nowhere'],
        ['fhir/links.test.ts', 'are replaced wherever … has them, and nothing else is'],
      ),
      must(
        'STU3: A reference in a transaction can be a search. It is replaced by a reference to the only match; without a match, or with several, the transaction fails.',
        [CONDITIONAL, 'becomes the address of its only match in a transaction'],
        [CONDITIONAL, 'with … is …, names its place, and stores nothing'],
        [CONDITIONAL, 'is 400 outside transactions'],
      ),
      should('Writes return what the header `Prefer` asks for.', [
        TRANSACTION,
        'returns what the client prefers of writes',
      ]),
    ],
  },
];
