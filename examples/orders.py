"""Creates an order response exactly once, updates it without overwriting the change of another
client, and lists its versions. Run it with Python 3.9 or newer:
python3 examples/orders.py http://localhost:8080 data/token.txt
"""

import json
import sys
import time
import uuid
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"
TOKEN = Path(sys.argv[2] if len(sys.argv) > 2 else "data/token.txt").read_text().strip()
JSON_TYPE = "application/json+fhir"
ATTEMPTS = 5


def send(method, url, resource=None, headers={}):
    """Returns status, headers and body. Repeats a request if no answer came or the server was busy.

    This is safe, because each write here has If-None-Exist or If-Match.
    """
    sent = {"Authorization": f"Bearer {TOKEN}", "Accept": JSON_TYPE, **headers}
    if resource is not None:
        sent["Content-Type"] = JSON_TYPE
    data = None if resource is None else json.dumps(resource).encode()
    request = Request(url, method=method, data=data, headers=sent)
    for attempt in range(1, ATTEMPTS + 1):
        wait = attempt
        try:
            with urlopen(request, timeout=60) as response:
                return response.status, response.headers, response.read()
        except HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                return error.code, error.headers, error.read()
            wait = int(error.headers.get("Retry-After", attempt))
        except (URLError, OSError):
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait)


def resource_of(answer):
    """The resource of an answer. The OperationOutcome of an error becomes the message."""
    status, _, body = answer
    resource = json.loads(body)
    if status < 400:
        return resource
    problems = [
        ": ".join([*issue.get("location", []), issue.get("diagnostics", "")])
        for issue in resource.get("issue", [])
    ]
    raise RuntimeError(f"{status}: {' '.join(problems)}")


def create_once(resource):
    """Creates the resource, unless one with its identifier exists. Returns what is stored."""
    identifier = resource["identifier"][0]
    value = quote(f"{identifier['system']}|{identifier['value']}", safe="")
    headers = {"If-None-Exist": f"identifier={value}", "Prefer": "return=representation"}
    answer = send("POST", f"{SERVER}/OrderResponse", resource, headers)
    return answer[0], resource_of(answer)


def update(resource_id, change):
    """Applies a change to the current version. Repeats it if another client was faster."""
    url = f"{SERVER}/OrderResponse/{resource_id}"
    for attempt in range(1, ATTEMPTS + 1):
        current = send("GET", url)
        resource = change(resource_of(current))
        answer = send("PUT", url, resource, {"If-Match": current[1]["ETag"]})
        if answer[0] != 409 or attempt == ATTEMPTS:
            resource_of(answer)
            return answer[1]["ETag"]


review = json.loads(Path(__file__).with_name("order-response.json").read_text())
identifier = {"system": "https://system.example", "value": str(uuid.uuid4())}

status, first = create_once({**review, "identifier": [identifier]})
print("The first attempt is answered with", status)
status, again = create_once({**review, "identifier": [identifier]})
print("The second attempt is answered with", status)
print("Both have the same id:", "true" if again["id"] == first["id"] else "false")

etag = update(first["id"], lambda current: {**current, "orderStatus": "cancelled"})
print("The update made", etag)

history = resource_of(send("GET", f"{SERVER}/OrderResponse/{first['id']}/_history"))
print("Versions:", ", ".join(entry["resource"]["orderStatus"] for entry in history["entry"]))

try:
    create_once({**review, "identifier": [{**identifier, "value": "4712"}], "date": "today"})
except RuntimeError as error:
    print(error)
