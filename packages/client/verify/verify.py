import base64, hashlib, hmac, time


def verify_webhook(body: bytes, headers, secret: str, now=None) -> bool:
    """True for the raw body of a webhook that was sent with this secret in the last five minutes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("The secret is missing.")
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs((now or time.time()) - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)
