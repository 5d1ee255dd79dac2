"""Keeps all organisations as Parquet with DuckDB, and compares two ways to the practices of networks.

Arguments: the address of the server, a folder for files, and the day of today. Prints the number of
organisations, of memberships that the list states, and of those that the single search states.
"""

import json
import sys
import urllib.request

import duckdb

SERVER, FOLDER, TODAY = sys.argv[1:]
BATCH_SIZE = 300


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{SERVER}/api/search/{path}", data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def organisations():
    found = []
    while True:
        body = {"searchQueryIsActive": "", "offset": len(found), "batchSize": BATCH_SIZE}
        batch = ask("organisationReportSearch", body)["orgArray"]
        found += batch
        if len(batch) < BATCH_SIZE:
            return found


def save(name, rows):
    """Writes JSON lines and makes a Parquet file of them, as an analyst does."""
    path = f"{FOLDER}/{name}"
    with open(f"{path}.json", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    duckdb.sql(
        f"COPY (SELECT * FROM read_json('{path}.json', format = 'newline_delimited', sample_size = -1)) "
        f"TO '{path}.parquet'"
    )
    return f"'{path}.parquet'"


listed = save("organisations", organisations())
networks = duckdb.sql(f"SELECT id FROM {listed} WHERE primaryRole = 'RO272' ORDER BY id").fetchall()
relationships = save(
    "memberships",
    (
        relationship
        for (network,) in networks
        for group in ask(f"singleOrganisationSearchByCode?code={network}")["relationships"].values()
        for relationship in group
    ),
)

IN_LIST = f"""
    SELECT * FROM (SELECT id AS member, unnest(RE8) AS network FROM {listed})
    WHERE network IN (SELECT id FROM {listed} WHERE primaryRole = 'RO272')
"""
BY_DATES = f"""
    SELECT DISTINCT sourceOrgCode AS member, targetOrgCode AS network FROM {relationships}
    WHERE relationshipTypeCode = 'RE8'
      AND DATE '{TODAY}' BETWEEN opStartDate AND coalesce(opEndDate, DATE '{TODAY}')
"""


def count(query):
    return duckdb.sql(f"SELECT count(*) FROM ({query})").fetchall()[0][0]


print(count(f"SELECT DISTINCT id FROM {listed}"))
print(count(IN_LIST), count(BY_DATES), count(f"({IN_LIST}) EXCEPT ({BY_DATES})"))
