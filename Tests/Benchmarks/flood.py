"""Opens many streams at a time, and counts how they are answered: flood.py ADDRESS PAGE COUNT.

Each stream is one of 500 sessions. Those that are answered stay open. Meanwhile a page is asked for by somebody else, as
often as there is an answer.
"""
import http.client
import selectors
import socket
import sys
import threading
import time
import urllib.parse

address = urllib.parse.urlsplit(sys.argv[1])
page, count = sys.argv[2], int(sys.argv[3])
over = threading.Event()
waits = []


def new_cookie():
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
    connection.request("GET", f"/pages/{page}")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.getheader("Set-Cookie").split(";")[0]


def request(number):
    cookie = cookies[number % len(cookies)]
    return f"GET /pages/{page}/events HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookie}\r\n\r\n".encode()


def read_pages():
    while not over.is_set():
        before = time.monotonic()
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        connection.request("GET", f"/pages/{page}")
        if connection.getresponse().status == 200:
            waits.append((time.monotonic() - before) * 1000)
        connection.close()


cookies = [new_cookie() for _ in range(500)]
reader = threading.Thread(target=read_pages)
reader.start()
statuses, kept, begun = {}, [], 0
ready = selectors.DefaultSelector()
start = time.monotonic()
while begun < count or ready.get_map():
    # So many at a time are not answered yet.
    while begun < count and len(ready.get_map()) < 400:
        connection = socket.create_connection((address.hostname, address.port), timeout=120)
        connection.sendall(request(begun))
        ready.register(connection, selectors.EVENT_READ)
        begun += 1
    events = ready.select(timeout=120)
    if not events:
        sys.exit(f"{len(ready.get_map())} streams were not answered")
    for key, _ in events:
        ready.unregister(key.fileobj)
        status = key.fileobj.recv(65536)[9:12].decode() or "ended"
        statuses[status] = statuses.get(status, 0) + 1
        if status == "200":
            kept.append(key.fileobj)
        else:
            key.fileobj.close()
seconds = time.monotonic() - start
over.set()
reader.join()
waits.sort()
answers = ", ".join(f"{number} times {status}" for status, number in sorted(statuses.items()))
print(f"{count} streams in {seconds:.1f} s: {answers}")
print(f"pages for others meanwhile: {len(waits)}, median {waits[len(waits) // 2]:.0f} ms, slowest {waits[-1]:.0f} ms")
