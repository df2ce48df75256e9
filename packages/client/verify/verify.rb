require "openssl"

# True for the raw body of a webhook that was sent with this secret in the last five minutes. Header names are in lower case.
def verify_webhook(body, headers, secret, now: Time.now)
  key = secret.delete_prefix("whsec_").unpack1("m")
  raise ArgumentError, "The secret is missing." if key.empty?
  sent_at = headers["webhook-timestamp"].to_s
  return false unless sent_at.match?(/\A\d+\z/) && (now.to_i - sent_at.to_i).abs <= 300
  signed = "#{headers["webhook-id"]}.#{sent_at}.".b + body.b
  digest = OpenSSL::HMAC.digest("SHA256", key, signed)
  expected = "v1,#{[digest].pack("m0")}"
  headers["webhook-signature"].to_s.split(" ").any? { |given| OpenSSL.secure_compare(expected, given) }
end
