import { inSpaces } from './in-spaces.ts'

/** Annotation of a release's Secret that an action of the portal is rolling back to; its value is the action's account. */
export const judgedFor = 'quayside.io/judged-for'

const has = (one: string) =>
  `(${one} != null && has(${one}.metadata.annotations) && '${judgedFor}' in ${one}.metadata.annotations)`
const markOf = (one: string) => `${one}.metadata.annotations['${judgedFor}']`

/**
 * The policy that keeps a stored revision as the portal has judged it until the rollback to it has ended: only the account
 * of that action writes it. It holds for everybody who may not change this policy: operators that make Secrets of what an
 * object in the space says, and the garbage collector, would do it for people of the space.
 */
export const judgedRevisions = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['secrets'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [
    { name: 'about-a-judged-revision', expression: `${has('oldObject')} || ${has('object')}` },
    {
      // Nothing can be made in a namespace that is being deleted.
      name: 'not-with-the-namespace',
      expression:
        "!(request.userInfo.username in ['system:kube-controller-manager', 'system:serviceaccount:kube-system:namespace-controller'])",
    },
    {
      name: 'not-who-keeps-the-policies',
      expression:
        "!authorizer.group('admissionregistration.k8s.io').resource('validatingadmissionpolicies').name('quayside-judged-revisions').check('patch').allowed()",
    },
  ],
  validations: [
    {
      expression: `!${has('oldObject')} || request.userInfo.username == 'system:serviceaccount:quayside-system:' + ${markOf('oldObject')}`,
      message: 'The app is just being rolled back to this revision: until that has ended, nobody else changes it.',
      reason: 'Forbidden',
    },
    {
      expression: `!${has('object')} || (${has('oldObject')} && ${markOf('oldObject')} == ${markOf('object')})`,
      message: 'Revisions that are being rolled back to are marked by the portal alone.',
      reason: 'Forbidden',
    },
  ],
}
