<?php
/** True for the raw body of a webhook that was sent with this secret in the last five minutes. Header names are in lower case. */
function verify_webhook(string $body, array $headers, string $secret, ?int $now = null): bool {
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    if ($key === '') throw new InvalidArgumentException('The secret is missing.');
    $sentAt = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($sentAt) || abs(($now ?? time()) - (int) $sentAt) > 300) return false;
    $signed = ($headers['webhook-id'] ?? '') . '.' . $sentAt . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given)
        if (hash_equals($expected, $given)) return true;
    return false;
}
