"""Looks a code up, reads every page of a search, and keeps a copy of the directory current, with
FHIR R4 or STU3. Run it with Python 3.9 or newer:
python3 examples/directory.py http://localhost:8080 R4
"""

import json
import sys
import time
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"
VERSION = sys.argv[2] if len(sys.argv) > 2 else "R4"
BASE = f"{SERVER}/{VERSION}"
ATTEMPTS = 5


def get(url, headers={}):
    """Returns status, headers and body. Waits and repeats the request if the server was busy."""
    request = Request(url, headers={"Accept": "application/fhir+json", **headers})
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with urlopen(request, timeout=30) as response:
                return response.status, response.headers, response.read()
        except HTTPError as error:
            if error.code not in (429, 503) or attempt == ATTEMPTS:
                return error.code, error.headers, error.read()
            time.sleep(int(error.headers.get("Retry-After", attempt)))


def resource_of(answer):
    """The resource of an answer. The OperationOutcome of an error becomes the message."""
    status, _, body = answer
    resource = json.loads(body)
    if status < 400:
        return resource
    problems = [issue.get("diagnostics", "") for issue in resource.get("issue", [])]
    raise RuntimeError(f"{status}: {' '.join(problems)}")


def look_up(code):
    """None if there is no organisation with this code."""
    answer = get(f"{BASE}/Organization/{quote(code, safe='')}")
    return None if answer[0] == 404 else resource_of(answer)


def search(parameters):
    """Every match, from page to page. The link to the next page already has all parameters."""
    url = f"{BASE}/Organization?{urlencode(parameters)}"
    while url is not None:
        bundle = resource_of(get(url))
        for entry in bundle.get("entry", []):
            yield entry["resource"]
        links = {link["relation"]: link["url"] for link in bundle["link"]}
        url = links.get("next")


def copy_with_r4(copy, last_read=None):
    """Everything that changed after last_read, or the whole directory. Only R4 lists deletions."""
    newest = last_read or ""
    parameters = {} if last_read is None else {"_lastUpdated": f"gt{last_read}"}
    for organization in search({**parameters, "_count": 1000}):
        copy[organization["id"]] = organization
        newest = max(newest, organization["meta"]["lastUpdated"])
    deleted = resource_of(get(f"{BASE}/List/Organization-deletion"))
    for entry in deleted.get("entry", []):
        copy.pop(entry["item"]["identifier"]["value"], None)
    return newest


def download(etag=None):
    """With STU3: the whole directory, one organisation on each line. None if it has not changed."""
    headers = {} if etag is None else {"If-None-Match": etag}
    status, answered, body = get(f"{SERVER}/editions/current.ndjson", headers)
    if status == 304:
        return None
    if status != 200:
        raise RuntimeError(f"{status}: no download")
    organizations = [json.loads(line) for line in body.decode().splitlines()]
    return answered["ETag"], {each["id"]: each for each in organizations}


def fail(error):
    """One line, without a trace."""
    sys.exit(f"{BASE} does not answer as a FHIR directory: {error}")


# A 404 means an unknown code only where the address of the interface is right.
try:
    resource_of(get(f"{BASE}/metadata"))
except (OSError, ValueError, RuntimeError) as error:
    fail(error)

found = look_up("RTG")
print("RTG is", "unknown" if found is None else found["name"])
print("NONE is known:", "false" if look_up("NONE") is None else "true")

matches = list(search({"name:contains": "leeds", "active": "true", "_count": 5}))
print("Active organisations with leeds in the name:", len(matches))

try:
    resource_of(get(f"{BASE}/Organization?active=perhaps"))
except RuntimeError as error:
    print(error)

if VERSION == "R4":
    # Get everything once, and then what has changed since.
    copy = {}
    last_read = copy_with_r4(copy)
    print("Copied", len(copy), "organisations")
    is_current = copy_with_r4(copy, last_read) == last_read
else:
    # Download everything each day. With the entity tag, an answer without changes has no body.
    etag, copy = download()
    print("Copied", len(copy), "organisations")
    is_current = download(etag) is None
print("The copy is current" if is_current else "The copy has changed")
