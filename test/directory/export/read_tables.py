"""Reads the files for analysis with DuckDB, pandas and pyarrow. Arguments: the SQLite database, and
the folder of the Parquet files. Prints what each program found as JSON."""

import json
import sqlite3
import sys

import duckdb
import pandas
import pyarrow.parquet

DATABASE, FOLDER = sys.argv[1:]
TABLES = ["edition", "organisation", "role", "relationship", "succession"]

# The active relationships of each type whose other end is an organisation with a record.
JOIN = """
    SELECT r.type, t.primary_role, count(*) AS pairs
    FROM relationship r
    JOIN organisation s ON s.code = r.source
    JOIN organisation t ON t.code = r.target
    WHERE r.status = 'Active' AND r.operational_start >= '2010-01-01'
    GROUP BY 1, 2 ORDER BY 1, 2
"""

sqlite = sqlite3.connect(DATABASE)

parquet = duckdb.connect()
for table in TABLES:
    parquet.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{FOLDER}/{table}.parquet')")

frames = {table: pandas.read_parquet(f"{FOLDER}/{table}.parquet") for table in TABLES}
relationship = frames["relationship"]
organisation = frames["organisation"]
active = relationship[
    (relationship.status == "Active")
    & (pandas.to_datetime(relationship.operational_start) >= pandas.Timestamp("2010-01-01"))
]
joined = active.merge(organisation, left_on="source", right_on="code").merge(
    organisation, left_on="target", right_on="code", suffixes=("_source", "_target")
)
pairs = joined.groupby(["type", "primary_role_target"]).size().reset_index().values.tolist()


def counts(query):
    return {table: query(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


def types(table):
    schema = pyarrow.parquet.read_schema(f"{FOLDER}/{table}.parquet")
    return {field.name: [str(field.type), field.nullable] for field in schema}


print(
    json.dumps(
        {
            "counts": {
                "sqlite": counts(lambda sql: sqlite.execute(sql).fetchall()),
                "duckdb": counts(lambda sql: parquet.execute(sql).fetchall()),
                "pandas": {table: len(frame) for table, frame in frames.items()},
            },
            "joins": {
                "sqlite": [list(row) for row in sqlite.execute(JOIN).fetchall()],
                "duckdb": [list(row) for row in parquet.execute(JOIN).fetchall()],
                "pandas": pairs,
            },
            "types": {table: types(table) for table in TABLES},
        }
    )
)
