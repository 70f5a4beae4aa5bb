const APPLIED = 'What the client once applied is not handed over to server-side apply.'

/** Checks that the Sandbox does not pass, by `area: name`, and why. `docs/sandbox.md` tells them to its readers. */
export const SANDBOX_DIFFERENCES: Readonly<Record<string, string>> = {
  'kubectl apply and diff: goes over from the client to the server': APPLIED,
}
