const EXPRESSIONS = 'Expressions (CEL) in schemas and in admission policies are not evaluated.'
const NODES = 'Pods of a node that does not exist are gone at once, not after a while.'
const APPLIED = 'What the client once applied is not handed over to server-side apply.'

/** Checks that the Sandbox does not pass, by `area: name`, and why. `docs/sandbox.md` tells them to its readers. */
export const SANDBOX_DIFFERENCES: Readonly<Record<string, string>> = {
  'admission policies: a policy denies what its expression does not hold for': EXPRESSIONS,
  'admission policies: without a message the expression is told': EXPRESSIONS,
  'admission policies: a message may be made': EXPRESSIONS,
  'admission policies: a reason may be given': EXPRESSIONS,
  'admission policies: variables are computed once': EXPRESSIONS,
  'admission policies: conditions say when it counts': EXPRESSIONS,
  'admission policies: an update sees what was': EXPRESSIONS,
  'admission policies: a policy may warn instead': EXPRESSIONS,
  'admission policies: an expression that cannot be compiled is refused': EXPRESSIONS,
  'admission policies: a binding that both denies and warns is refused': EXPRESSIONS,
  'custom kinds: a rule over fields is kept': EXPRESSIONS,
  'custom kinds: a rule may look at what was': EXPRESSIONS,
  'custom kinds: a rule may make its message': EXPRESSIONS,
  'custom kinds: a rule that cannot be compiled is refused': EXPRESSIONS,
  'deletion: a pod on a node has its grace': NODES,
  'kubectl apply and diff: goes over from the client to the server': APPLIED,
}
