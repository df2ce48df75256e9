// Text that a person types or pastes into the search.

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Callers may choose the id of a request. One that a person pastes has a digit and no space. */
const requestId = /^(?=.*\d)[\w.-]{8,100}$/;

/** An API key, an access token or a signing secret, which is base64. */
const credential = /^[a-z]+_[\w+/=-]{20,}$/i;

/** A join link or a click link, with or without its address. Tokens have 48 bytes or more in base64url; a hash has no capitals. */
const personalLink = /\/(room|r)\/|^(?=.*[A-Z])(?=.*[a-z])[\w-]{64,}$/;

export const isUuid = (text: string): boolean => uuid.test(text);

export const isRequestId = (text: string): boolean => requestId.test(text) && !isSecret(text);

/** True for a text that must not be sent: the query of a search is in its address, and addresses are in logs. */
export const isSecret = (text: string): boolean => credential.test(text) || personalLink.test(text);
