import { inSpaces } from './in-spaces.ts'

/** Endings of public names that are no namespace of a cluster. */
const wellKnown = 'com|net|org|edu|gov|info|io|eu'
/**
 * A name of at most four parts may be one of a service or a pod, `prometheus.monitoring`, for programs that look for names
 * as pods do: with a dot at its end nobody looks for it there.
 */
const isPublic = (name: string) =>
  [
    `^([a-z0-9_-]+[.])+(${wellKnown})$`,
    '^([a-z0-9_-]+[.]){4,}([a-z]+|xn--[a-z0-9-]+)$',
    '^([a-z0-9_-]+[.])+([a-z]+|xn--[a-z0-9-]+)[.]$',
  ]
    .map((shape) => `${name}.matches('${shape}')`)
    .join(' || ')

/**
 * The policy that refuses services in spaces that take or reach what is not theirs: an external address draws traffic of
 * the whole cluster to the service, and an external name within the cluster lets an ingress controller, which every space
 * lets in, reach the pods of others. It holds for all accounts of the cluster, because operators make services as an
 * object in a space says. Addresses and names that a service has already stay.
 */
export const ownServices = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['services'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [
    {
      name: 'by-an-account',
      expression: "request.userInfo.username.startsWith('system:serviceaccount:')",
    },
  ],
  validations: [
    {
      expression:
        '!has(object.spec.externalIPs) || object.spec.externalIPs.all(one, oldObject != null && has(oldObject.spec.externalIPs) && one in oldObject.spec.externalIPs)',
      message: 'A service of a space takes no external addresses: they draw the traffic of others to it.',
      reason: 'Forbidden',
    },
    {
      // The last part of a public name has letters alone; those of addresses and of namespaces of spaces have not.
      expression: `!has(object.spec.externalName) || object.spec.externalName == '' || (oldObject != null && has(oldObject.spec.externalName) && oldObject.spec.externalName == object.spec.externalName) || ((${isPublic('object.spec.externalName')}) && !object.spec.externalName.matches('[.](svc|pod)([.]|$)|cluster[.]local[.]?$'))`,
      message:
        'An external name of a space is a public one outside of the cluster; one with another ending than .com, .org and the like needs a dot behind it.',
      reason: 'Forbidden',
    },
  ],
}
