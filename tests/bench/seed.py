"""Prints N expenses of a tenant as sayso stores them, rollups, totals of names and counter included: one DynamoDB item a line, typed JSON.
For benchmarks that fill the table of several programs alike; `make seed` is quicker for this one.

    seed.py TENANT N
"""

import collections
import datetime
import hashlib
import json
import sys

tenant, count = sys.argv[1], int(sys.argv[2])
partition = {"S": f"T#{tenant}"}
# The day before last month, so that "this month" and "last month" have few rows.
last = datetime.date.today().replace(day=1) - datetime.timedelta(days=32)
rollups = collections.defaultdict(collections.Counter)


def number(value):
    return {"N": str(value)}


def duplicate_key(words, minor):
    return hashlib.sha256(f"{words}|{minor}|GBP".encode()).hexdigest()[:32]


for i in range(1, count + 1):
    item, minor = f"Purchase number {i - 1}", 100 + (i - 1) % 900
    words = f" {item.lower()} "
    name = item.lower().replace(" ", "%20")
    date = last - datetime.timedelta(days=i % 730)
    print(json.dumps({
        "pk": partition, "sk": {"S": f"E#{i:012}"}, "byOrder": {"S": f"E#{date}#{i:012}"}, "byName": {"S": f"E#{name}#{date}#{i:012}"},
        "byOwner": {"S": f"E#seed#{date}#{i:012}"},
        "id": number(i), "name": {"S": item.lower()},
        "kind": {"S": "E"}, "version": number(1), "schema": number(1), "owner": {"S": "seed"}, "date": {"S": str(date)},
        "body": {"M": {"item": {"S": item}, "minor": number(minor), "currency": {"S": "GBP"}}},
        "duplicateKey": {"S": duplicate_key(words, minor)},
        "rollups": {"L": [{"M": {"date": {"S": str(date)}, "unit": {"S": "GBP"}, "group": {"S": "uncategorised"}, "amount": number(minor)}}]},
    }))
    rollup = {"sum": minor, "n": 1, "v": 1, f"s{date:%d}": minor, f"n{date:%d}": 1}
    rollups[f"L#{date:%Y-%m}#E#seed#GBP#uncategorised"].update(rollup)
    rollups[f"A#E#seed#{name}#GBP"].update({"sum": minor, "n": 1, "v": 1})

for key, sums in sorted(rollups.items()):
    print(json.dumps({"pk": partition, "sk": {"S": key}} | {name: number(value) for name, value in sorted(sums.items())}))
print(json.dumps({"pk": partition, "sk": {"S": "SEQ"}, "E": number(count)}))
