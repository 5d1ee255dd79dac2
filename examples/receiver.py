"""
Receives signed notifications, and prints each. Run it with the secret of the subscription in SECRET and a port in
PORT. Answer 2xx only after you have stored the notification. Store the ids of deliveries with the notifications:
this program forgets them when it ends.
"""
import hashlib, hmac, http.server, os, time

AGE_SECONDS_MAX = 300
secret = os.environ['SECRET'].encode()
delivered = set()

class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        sent = self.headers.get('Gazetteer-Signature', '')
        t = sent.partition(',')[0].removeprefix('t=')
        expected = hmac.new(secret, t.encode() + b'.' + body, hashlib.sha256)
        isRecent = t.isdecimal() and abs(time.time() - int(t)) <= AGE_SECONDS_MAX
        isSigned = hmac.compare_digest(f't={t},v1={expected.hexdigest()}'.encode(), sent.encode())
        isValid = isRecent and isSigned
        delivery = self.headers['Gazetteer-Delivery']
        if isValid and delivery not in delivered:
            print(delivery, self.headers['Gazetteer-Resource'], flush=True)
            delivered.add(delivery)
        self.send_response(204 if isValid else 401)
        self.send_header('Content-Length', '0')
        self.end_headers()

http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Receiver).serve_forever()
