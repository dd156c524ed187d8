"""A mail server on loopback, by Debian's aiosmtpd. What it takes is told on its standard output, a JSON object a line.

Its one argument is JSON: port, security (tls, starttls, none), cert and key (files), users (a password for each name; null: it
asks nobody). The name before the @ of an address decides what it answers.
"""
import email
import email.policy
import json
import ssl
import sys
from collections import Counter

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

RECIPIENTS = {
    "gone": "550 5.1.1 No such user here",
    "later-gone": "550 5.1.1 No such user here",
    "full": "452 4.2.2 Mailbox full",
    "closing": "421 4.3.2 Service shutting down",
}
SENDERS = {
    "spoof": "553 5.7.1 Sender address rejected: not owned by user",
    "unknown": "530 5.7.0 Authentication required",
    "plain": "530 5.7.0 Must issue a STARTTLS command first",
}
BODIES = {"spam": "554 5.7.1 Message looks like spam", "busy": "451 4.3.0 Try again later"}


class Handler:
    def __init__(self):
        self.asked = Counter()

    async def handle_MAIL(self, server, session, envelope, address, options):
        refusal = SENDERS.get(address.split("@")[0])
        if refusal is not None:
            return refusal
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        self.asked[address] += 1
        # put off once, as by greylisting
        if name.startswith("later") and self.asked[address] == 1:
            return "450 4.2.0 Greylisted, please try again"
        if name in RECIPIENTS:
            return RECIPIENTS[name]
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        refusal = BODIES.get(str(message["subject"]).strip())
        if refusal is not None:
            return refusal
        text, html = message.get_body(("plain",)), message.get_body(("html",))
        told = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "user": session.auth_data.decode() if session.auth_data else None,
            "isEncrypted": server.transport.get_extra_info("ssl_object") is not None,
            "headers": [[name, str(value)] for name, value in message.items()],
            "text": text and text.get_content(),
            "html": html and html.get_content(),
        }
        print(json.dumps(told), flush=True)
        return "250 2.0.0 Ok: queued"


def main():
    to = json.loads(sys.argv[1])
    users = to.get("users")
    context = None
    if to["security"] != "none":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(to["cert"], to["key"])

    def authenticate(server, session, envelope, mechanism, data):
        is_known = isinstance(data, LoginPassword) and users.get(data.login.decode()) == data.password.decode()
        return AuthResult(success=is_known, handled=False, auth_data=data.login if is_known else None)

    more = {}
    if users is not None:
        more = {"authenticator": authenticate, "auth_required": True, "auth_require_tls": to["security"] == "starttls"}
    if to["security"] == "starttls":
        more.update(tls_context=context, require_starttls=True)
    if to["security"] == "tls":
        more.update(ssl_context=context)
    controller = Controller(Handler(), hostname="127.0.0.1", port=to["port"], **more)
    controller.start()
    print(json.dumps("ready"), flush=True)
    sys.stdin.read()  # until the test ends
    controller.stop()


main()
