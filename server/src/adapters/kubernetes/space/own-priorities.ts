import { inSpaces } from './in-spaces.ts'
import { priorityClassesAnnotation } from './space-isolation.ts'

const isOfPods = "request.resource.resource == 'pods'"
/** The priority comes from the class: the API server has filled it in by then. */
const isHigh = 'has(object.spec.priority) && object.spec.priority > 0'
const listed = `namespaceObject.metadata.annotations['${priorityClassesAnnotation}']`
const isListed = `has(object.spec.priorityClassName) && has(namespaceObject.metadata.annotations) && '${priorityClassesAnnotation}' in namespaceObject.metadata.annotations && (',' + ${listed} + ',').contains(',' + object.spec.priorityClassName + ',')`

/**
 * The policy that refuses pods of a space a class of priority by which they would come before pods of others,
 * whoever makes them: pods of a Deployment are made by the cluster. The portal writes to the namespace which classes the
 * space may name.
 */
export const ownPriorities = {
  failurePolicy: 'Fail',
  matchConstraints: {
    namespaceSelector: inSpaces,
    resourceRules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        // Config maps for the question whether the policy is in force: other rules can refuse a pod before this one.
        resources: ['pods', 'configmaps'],
        scope: 'Namespaced',
      },
    ],
  },
  matchConditions: [{ name: 'pods', expression: isOfPods }],
  validations: [
    {
      expression: `!(${isOfPods}) || !(${isHigh}) || (${isListed})`,
      message:
        'Pods of this class of priority come before those of other spaces, or drive them off their nodes. Who may edit the cluster can put the class on its list by name.',
      reason: 'Forbidden',
    },
  ],
}
