/** Searches of order responses in PostgreSQL: what every store of order responses must do. */
import { describeAuditSearch } from '../audit-search.contract.ts';
import { describeAuditedSearch, describeSearch } from '../search.contract.ts';
import { describeOnPostgres } from './database-place.ts';

describeOnPostgres('searches in PostgreSQL', (place) => {
  describeAuditSearch(place);
  describeSearch(place);
  describeAuditedSearch(place);
});
