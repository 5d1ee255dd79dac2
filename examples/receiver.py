"""
Receives signed notifications, and prints each. Run it with the secret of the subscription in SECRET and a port in
PORT. Answer 2xx only after you have stored the notification.
"""
import hashlib, hmac, http.server, os

secret = os.environ['SECRET'].encode()

class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        sent = self.headers.get('Gazetteer-Signature', '')
        time = sent.partition(',')[0].removeprefix('t=')
        expected = hmac.new(secret, time.encode() + b'.' + body, hashlib.sha256)
        isValid = hmac.compare_digest(f't={time},v1={expected.hexdigest()}'.encode(), sent.encode())
        if isValid:
            print(self.headers['Gazetteer-Delivery'], self.headers['Gazetteer-Resource'], flush=True)
        self.send_response(204 if isValid else 401)
        self.send_header('Content-Length', '0')
        self.end_headers()

http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Receiver).serve_forever()
