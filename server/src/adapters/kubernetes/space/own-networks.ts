import { bySpaceAccounts, inSpaces } from './in-spaces.ts'
import { networkPoliciesLabel, networkPolicyName } from './space-isolation.ts'
import { networkGroups, networkResources } from './space-rules.ts'

const toOwnPods =
  'has(rule.to) && size(rule.to) > 0 && rule.to.all(one, has(one.podSelector) && !has(one.namespaceSelector) && !has(one.ipBlock))'
const toDns =
  'has(rule.ports) && size(rule.ports) > 0 && rule.ports.all(one, has(one.port) && one.port == 53 && !has(one.endPort))'
const isAny = `has(namespaceObject.metadata.labels) && '${networkPoliciesLabel}' in namespaceObject.metadata.labels && namespaceObject.metadata.labels['${networkPoliciesLabel}'] == 'any'`

const plugins = [...networkGroups].filter((group) => group !== 'networking.k8s.io')
const isOfKubernetes = "request.resource.group == 'networking.k8s.io'"
/** Programs of a plugin say in the status of an object whose address it is; what has neither a spec nor a status may have more. */
const staysButForMarks =
  "(object.all(key, key == 'metadata' || (key in oldObject && oldObject[key] == object[key])) && oldObject.all(key, key in object))"
/**
 * The mark of Helm; nobody in the space can add it to what is there. Releases elsewhere, by which a cluster is kept, bring
 * objects into spaces as well.
 */
const releasedIn = 'meta.helm.sh/release-namespace'
const isOfRelease = `(has(oldObject.metadata.annotations) && '${releasedIn}' in oldObject.metadata.annotations && oldObject.metadata.annotations['${releasedIn}'] == oldObject.metadata.namespace)`

/**
 * The policy that refuses the accounts of a space, and the people who use kubectl there, any change of the network policy
 * that the portal gives the space. A chart may give its pods rights on network policies, as some operators need; the one
 * of the portal is changed by who may edit the cluster alone. Policies add up: one that opens more than pods of the space
 * and DNS would undo the portal's, so it is refused as well, unless the space was given that. Objects of network plugins open
 * networks in ways of their own, which nobody judges here: they are refused as a whole. Those that a release of the space
 * brought while it might can be deleted; those that somebody else put there stay, because they may be what keeps pods apart.
 */
export const ownNetworks = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: ['networking.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['networkpolicies'],
        scope: 'Namespaced',
      },
      {
        apiGroups: plugins,
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['*/*'],
        scope: 'Namespaced',
      },
      ...networkResources.map(({ group, resource }) => ({
        apiGroups: [group],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: [resource],
        scope: 'Namespaced',
      })),
    ],
  },
  matchConditions: [bySpaceAccounts],
  validations: [
    {
      // A deletion of all of them at once names none in the request, and each of them as the old object.
      expression: `(object == null ? oldObject : object).metadata.name != '${networkPolicyName}'`,
      message: 'The network policy of a space is changed in the portal, by who may edit the cluster.',
      reason: 'Forbidden',
    },
    {
      // Releases that are there keep what they brought while it was let be.
      expression: `!(${isOfKubernetes}) || object == null || ${isAny} || (oldObject != null && oldObject.spec == object.spec) || !has(object.spec.egress) || object.spec.egress.all(rule, (${toOwnPods}) || (${toDns}))`,
      message:
        'It lets pods reach more than pods of the space and DNS. Who may edit the cluster can let network policies of this space do so.',
      reason: 'Forbidden',
    },
    {
      expression: `${isOfKubernetes} || ${isAny} || object == null || (oldObject != null && ${staysButForMarks})`,
      message:
        'Objects of network plugins can open the network of a space. Who may edit the cluster can let network policies of this space do so.',
      reason: 'Forbidden',
    },
    {
      expression: `${isOfKubernetes} || ${isAny} || oldObject == null || ${isOfRelease}`,
      message:
        'This object of a network plugin was brought by no release of the space, so it is changed and deleted by who looks after the cluster alone.',
      reason: 'Forbidden',
    },
  ],
}
