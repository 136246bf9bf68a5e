"""Measures how soon open pages show a change: web.py ADDRESS STREAMS SESSIONS.

Opens the page bench-counter STREAMS times in this number of sessions, and follows it. Presses its button ten times, and
prints for each time after how many milliseconds the last stream had the change.
"""
import html
import http.client
import re
import selectors
import socket
import sys
import time
import urllib.parse

address = urllib.parse.urlsplit(sys.argv[1])
streams, sessions = int(sys.argv[2]), int(sys.argv[3])


def ask(method, path, cookie, body=None):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    headers = {"Cookie": cookie} if cookie else {}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode()


def new_cookie():
    _, headers, _ = ask("GET", "/pages/bench-counter", None)
    return next(value for name, value in headers.items() if name.lower() == "set-cookie").split(";")[0]


def follow(cookie, revision):
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall(
        f"GET /pages/bench-counter/events?after={revision} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Cookie: {cookie}\r\n\r\n".encode()
    )
    return connection


def page(cookie):
    while True:
        _, _, text = ask("GET", "/pages/bench-counter", cookie)
        if "Add one" in text:
            return text
        time.sleep(0.05)


def wait_for(text, connections):
    """Reads until every connection has got the text."""
    waiting = selectors.DefaultSelector()
    for connection in connections:
        waiting.register(connection, selectors.EVENT_READ, bytearray())
    left = len(connections)
    while left:
        ready = waiting.select(timeout=30)
        if not ready:
            sys.exit(f"{left} streams have not shown {text}")
        for key, _ in ready:
            part = key.fileobj.recv(65536)
            if not part:
                sys.exit("a stream has ended")
            key.data.extend(part)
            if text.encode() in key.data:
                waiting.unregister(key.fileobj)
                left -= 1


cookies = [new_cookie() for _ in range(sessions)]
first = page(cookies[0])
token = re.search(r'name="token" value="([^"]*)"', first).group(1)
section = re.search(r'name="section" value="([^"]*)"', first).group(1)
action = html.unescape(re.search(r'name="action" value="([^"]*)"', first).group(1))
form = urllib.parse.urlencode({"token": token, "section": section, "action": action})
count = int(re.search(r"count (\d+)", first).group(1))
connections = []
for number in range(streams):
    cookie = cookies[number % sessions]
    connections.append(follow(cookie, re.search(r'data-revision="(\d+)"', page(cookie)).group(1)))
for connection in connections:
    # The head of the answer.
    connection.recv(65536)
times = []
for _ in range(10):
    count += 1
    before = time.monotonic()
    status, _, text = ask("POST", "/pages/bench-counter/perform", cookies[0], form)
    if status != 303:
        sys.exit(f"the button was refused: {status} {text[:300]}")
    wait_for(f"count {count}", connections)
    times.append((time.monotonic() - before) * 1000)
    time.sleep(0.3)
times.sort()
print(f"{streams} streams in {sessions} sessions: median {times[5]:.0f} ms, slowest {times[-1]:.0f} ms")
