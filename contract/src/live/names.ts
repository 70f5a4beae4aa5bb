// Without schemas: every page loads these names first.

/**
 * The socket at /deployment/socket.io. The token goes in the handshake's `auth: { token }`, never in the address.
 *
 * The client emits
 * - `register` with { releaseName, lastSeq, actionId }: follows that action and replays its events after lastSeq; with
 *   a release name alone it follows the running action of that release, or, when none runs, the next ones as they are
 *   accepted, so registering may come before posting; with a lastSeq and no actionId it goes on in the newest action of
 *   the release that has come so far, also when that has ended, and then with all that began after it; acknowledged
 *   with RegisterReply;
 * - `deregister` with a release name;
 * - `watch` / `unwatch` with a Topic: asks for `changed` notes on it;
 * - `token` with a fresh access token before the old one expires.
 *
 * The server emits `message`, `IAM`, `Prepare`, `Deploy`, `Upgrade`, `Rollback`, `Delete`, `helmresult`, `hookresult`
 * (each with the fields of Stamp beside its own), `waiting`, `changed`, `signed-out` and `rights-changed`. `Prepare` brings a PreparedVersion or, when there
 * is none, a DeployResult with the state 1 that says why.
 */
export const socketPath = '/deployment/socket.io'

/** Sent before the server closes a socket whose owner is signed out, disabled or removed. */
export const signedOutEvent = 'signed-out'
export interface SignedOut {
  code: string
}

/** Sent when roles or groups of the socket's owner have changed: a new token says the new ones. */
export const rightsChangedEvent = 'rights-changed'
