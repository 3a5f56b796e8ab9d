// Vectors that the other proxy forwards and fenzi refuses, each with the reason.
const TOOLS_ONLY =
  "a fenzi policy opens tools and what is needed to reach them, no other method";
const CLIENT_ANSWER =
  "no request of a server reaches a client, so a client has nothing to answer";
const KIND =
  "a request without an id, or a notification with one, may be run by a server that does not look at the id";
const SHAPE =
  "`params` and `arguments` have one shape; a server may read another one differently";
const ONE_READING = "two parsers read a name that stands twice differently";
const MEDIA =
  "only JSON in UTF-8 that says so, and both kinds of answer accepted";
const MIRROR =
  "headers that mirror the body have to agree with it, and the version has to be known";
const PLAIN_NAMES = "`all` covers plain names; any other needs an exact entry";
const DENY_DOTS =
  "a star of fenzi also stands for dots, so that a deny rule has no gap";
const BATCH = "batches are refused whole";

export const STRICTER: Readonly<Record<string, string>> = {
  "d-010-tools-list-params-string-tolerated": SHAPE,
  "d-016-prompts-get-ok": TOOLS_ONLY,
  "d-018-setlevel-ok": TOOLS_ONLY,
  "d-020-complete-ok": TOOLS_ONLY,
  "d-022-tasks-get-ok": TOOLS_ONLY,
  "d-026-messages-listen-profile": TOOLS_ONLY,
  "d-028-method-case-variant-under-profile": TOOLS_ONLY,
  "d-051-notification-tools-call-method-rule": KIND,
  "d-057-notif-progress-ok": TOOLS_ONLY,
  "d-058-notif-extension-listed": TOOLS_ONLY,
  "d-059-notification-name-with-id": KIND,
  "d-060-notification-initialize-without-id": KIND,
  "d-099-deny-glob-dot-gap": DENY_DOTS,
  "d-114-profile-narrowed-prompts": TOOLS_ONLY,
  "d-116-profile-extension-method": TOOLS_ONLY,
  "d-117-profile-sampling-request": TOOLS_ONLY,
  "d-121-arguments-string": SHAPE,
  "d-127-params-as-array": SHAPE,
  "d-130-duplicate-name-last-wins-allowed": ONE_READING,
  "d-132-duplicate-method": ONE_READING,
  "d-148-content-type-text": MEDIA,
  "d-149-no-content-type-no-accept": MEDIA,
  "d-162-mcp-batch-responses-only": BATCH,
  "d-170-mcp-response-id-null": CLIENT_ANSWER,
  "d-195-mcp-method-header-mismatch": MIRROR,
  "d-196-protocol-version-header-unknown": MIRROR,
  "d-236-non-strict-tool-any-chars": PLAIN_NAMES,
  "d-237-non-strict-empty-name": PLAIN_NAMES,
  "op-09-mcp-response-post": CLIENT_ANSWER,
  "rl-13-mcp-client-response-forwarded": CLIENT_ANSWER,
};
