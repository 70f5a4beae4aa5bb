import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from function import handle


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        if self.path == "/healthz":
            return self.reply(200, {"ok": True})
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            self.reply(200, handle(self.path, body.decode()))
        except Exception as error:
            self.log_error("%s", error)
            self.reply(500, {"error": type(error).__name__})

    do_GET = do_POST = answer

    def reply(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


ThreadingHTTPServer(("", 8080), Handler).serve_forever()
